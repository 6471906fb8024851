// The adapter: JSON Lines over stdin and stdout, one request and one answer at a time.

import { createInterface } from "node:readline";
import { respond } from "./protocol.js";

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  if (line.trim() === "") continue;
  const { reply, end } = respond(line);
  process.stdout.write(`${JSON.stringify(reply)}\n`);
  if (end) break;
}
