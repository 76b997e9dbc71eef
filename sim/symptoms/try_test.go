package symptoms
import ("testing";"os";"encoding/json";"path/filepath";"fmt";"slices")
func TestTry(t *testing.T) {
	dir := os.Getenv("SYM")
	var all []struct{ID, Primary string; Accept []string}
	data,_ := os.ReadFile(filepath.Join(dir,"expected.json"))
	if err:=json.Unmarshal(data,&all); err!=nil {t.Fatal(err)}
	ok, first :=0,0
	for _, e := range all {
		text,_ := os.ReadFile(filepath.Join(dir,e.ID+".txt"))
		got := Find(string(text))
		var ids []string
		hit := false
		for i,m := range got { ids=append(ids,fmt.Sprintf("%s %.1f %q",m.ID,m.score,m.Because)); if m.ID==e.Primary||slices.Contains(e.Accept,m.ID){hit=true; if i==0{first++}} }
		if hit {ok++}
		mark := "  "; if !hit {mark="X "}
		fmt.Println(mark,e.ID,e.Primary,e.Accept)
		for _, s := range ids { fmt.Println("       ",s) }
	}
	fmt.Println(ok,"of",len(all), "first", first)
}
