package main

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// mode says what a relay does with the bytes that it receives.
type mode int

const (
	passing  mode = iota
	holding       // bytes wait and go on later: a partition whose packets finally arrive
	refusing      // connections end, and new ones are refused
)

// relay is the network between one elector and the API.
type relay struct {
	listener net.Listener
	server   string

	mu      sync.Mutex
	changed *sync.Cond
	mode    mode
	delay   time.Duration // of answers
	open    map[net.Conn]bool
}

func newRelay(to string) (*relay, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &relay{listener: l, server: to, open: map[net.Conn]bool{}}
	r.changed = sync.NewCond(&r.mu)
	go r.accept()
	return r, nil
}

func (r *relay) url() string { return "http://" + r.listener.Addr().String() }

func (r *relay) to(m mode) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mode = m
	if m == refusing {
		for c := range r.open {
			_ = c.Close()
		}
	}
	r.changed.Broadcast()
}

func (r *relay) slow(delay time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.delay = delay
}

func (r *relay) accept() {
	for {
		from, err := r.listener.Accept()
		if err != nil {
			return
		}
		r.mu.Lock()
		refused := r.mode == refusing
		r.mu.Unlock()
		if refused {
			_ = from.Close()
			continue
		}
		there, err := net.Dial("tcp", r.server)
		if err != nil {
			_ = from.Close()
			continue
		}
		r.mu.Lock()
		r.open[from], r.open[there] = true, true
		r.mu.Unlock()
		go r.pipe(there, from, false)
		go r.pipe(from, there, true)
	}
}

// parcel has some bytes, with the instant at which the relay may send them on.
type parcel struct {
	bytes []byte
	due   time.Time
}

// pipe carries the bytes of one direction. Delayed parcels stay in order, and their delays overlap.
func (r *relay) pipe(to, from net.Conn, answers bool) {
	queue := make(chan parcel, 1000)
	go func() {
		defer to.Close()
		for p := range queue {
			time.Sleep(time.Until(p.due))
			r.mu.Lock()
			for r.mode == holding {
				r.changed.Wait()
			}
			r.mu.Unlock()
			if _, err := to.Write(p.bytes); err != nil {
				break
			}
		}
		for range queue { // the reader must not block
		}
	}()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			r.mu.Lock()
			delay := r.delay
			r.mu.Unlock()
			if !answers {
				delay = 0
			}
			queue <- parcel{append([]byte(nil), buffer[:n]...), time.Now().Add(delay)}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				_ = to.Close()
			}
			break
		}
	}
	close(queue)
	r.mu.Lock()
	delete(r.open, from)
	r.mu.Unlock()
}
