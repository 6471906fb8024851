package run_test
import ("testing";"os";"fmt";"math/rand/v2"
"github.com/momon-rules/momon/interpreter/internal/run"
)
func TestZZ(t *testing.T){
 stress,_:=os.ReadFile("testdata/stress.momon")
 en:=run.New(rulesAnd(t,string(stress)))
 m:=newGame(t,en,102,true)
 r := rand.New(rand.NewPCG(102, 5))
 m.Start()
 for n:=0;n<15;n++{ if r.IntN(12)==0 {}; m.Choose(pick(r,m.S.Pending)...)}
 d:=m.S.Pending
 fmt.Println(d.Name,d.Kind,m.S.Grouped,len(m.S.Gates),len(m.S.Befores))
 for _,f:=range m.S.Stack { w:=""; if f.Kind==0 {w=en.P.Routines[f.Routine].What}; if f.Act>=0 {w+=" "+en.P.Actions[m.S.Acts[f.Act].Action].Name}; fmt.Println(f.Kind,w,f.Phase,f.Grouped,f.PC)}
 c:=en.Resume(m.S.Clone())
 p:=pick(r,d)
 m.Notes=func(n run.Note){ if n.Act!=nil {fmt.Println("M",n.Kind,en.P.Actions[n.Act.Action].Name,n.Act.Roles)} else {fmt.Println("M",n.Kind,n.Effect)}}
 c.Notes=m.Notes
 m.Choose(p...); fmt.Println("----"); c.Choose(p...)
}
