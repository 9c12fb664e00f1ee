package sync

import (
	"context"
	"errors"
	"time"
)

var ErrConflict = errors.New("both branches changed the record")

// Record is what travels between branches.
type Record struct {
	Key   string
	Body  []byte
	Clock Clock
}

// Peer is another branch.
type Peer interface {
	Since(ctx context.Context, seen Clock) ([]Record, error)
}

// Replica holds what this branch knows.
type Replica struct {
	records map[string]Record
	clock   Clock
}

// Pull brings what a peer has and we have not. It waits longer after every failure, until the context ends.
func (r *Replica) Pull(ctx context.Context, peer Peer) error {
	wait := 100 * time.Millisecond
	for {
		records, err := peer.Since(ctx, r.clock)
		if err == nil {
			return r.apply(records)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
			wait *= 2
		}
	}
}

// apply keeps the newer of two versions; versions that do not know of each other are a conflict.
func (r *Replica) apply(records []Record) error {
	for _, record := range records {
		own, known := r.records[record.Key]
		if known && !own.Clock.HappenedBefore(record.Clock) {
			if !record.Clock.HappenedBefore(own.Clock) {
				return ErrConflict
			}
			continue
		}
		r.records[record.Key] = record
		r.clock.Merge(record.Clock)
	}
	return nil
}
