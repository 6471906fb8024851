#!/bin/sh
# Holds fresh works against the yardstick: fresh.sh MOMON LIMIT FROM TO
# MOMON is the built momon, LIMIT the built yardstick (../shared/bench/limit).
# Seeds FROM to TO, both profiles, many sizes, dependency judged after each
# effect and once. Exit status 1 if any board differs.
momon=$1 limit=$2 from=$3 to=$4
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
bad=0 n=0 seed=$from
while [ "$seed" -le "$to" ]; do
  objects=$((2 + seed * 7 % 59)) effects=$((1 + seed * 13 % 90)) changes=$((5 + seed % 25))
  profile=full order=stepwise
  [ $((seed % 3)) = 0 ] && profile=simple
  [ $((seed % 7)) = 0 ] && order=static
  "$limit" -objects $objects -effects $effects -changes $changes -seed "$seed" -profile $profile -emit "$dir/work" || exit 2
  "$limit" -work "$dir/work" -dump "$dir/theirs" -modes pruned -order $order -runs 1 -time 0 >/dev/null || exit 2
  for mode in full incremental; do
    "$momon" bench layers --work "$dir/work" --dump "$dir/ours" --order $order --modes $mode --time 0 >/dev/null || exit 2
    if ! cmp -s "$dir/ours" "$dir/theirs"; then
      echo "seed $seed, $mode, $order: the boards differ (objects $objects, effects $effects, changes $changes, $profile)"
      bad=$((bad + 1))
    fi
  done
  n=$((n + 1)) seed=$((seed + 1))
done
echo "$n works, $bad differing boards"
[ $bad = 0 ]
