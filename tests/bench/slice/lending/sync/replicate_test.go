package sync

import "testing"

func TestApplyKeepsTheNewerVersion(t *testing.T) {
	replica := &Replica{records: map[string]Record{}, clock: Clock{}}
	older := Record{Key: "book", Body: []byte("old"), Clock: Clock{"north": 1}}
	newer := Record{Key: "book", Body: []byte("new"), Clock: Clock{"north": 2}}
	if err := replica.apply([]Record{newer, older}); err != nil {
		t.Fatal(err)
	}
	if string(replica.records["book"].Body) != "new" {
		t.Fatal("the older version won")
	}
}
