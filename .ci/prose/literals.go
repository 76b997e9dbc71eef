// Command literals writes the string literals of Go files to text files of the same shape: line 7 of OUT/core/x.go.txt
// holds the words of the literals that begin in line 7 of core/x.go. So a tool that reads prose names the right line.
//
//	go run ./.ci/prose OUT < names
package main

import (
	"bufio"
	"go/scanner"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	names := bufio.NewScanner(os.Stdin)
	for names.Scan() {
		source, err := os.ReadFile(names.Text())
		if err != nil {
			log.Fatal(err)
		}
		out := filepath.Join(os.Args[1], names.Text()+".txt")
		if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(out, []byte(literals(source)), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// literals returns the prose of a Go file: its literals with at least two words, each in the line where it begins.
func literals(source []byte) string {
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	lines := make([]string, file.Base()+strings.Count(string(source), "\n")+1)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return strings.Join(lines, "\n")
		}
		value, err := strconv.Unquote(text)
		if tok != token.STRING || err != nil || !strings.Contains(strings.TrimSpace(value), " ") {
			continue
		}
		for i, part := range strings.Split(value, "\n") {
			lines[file.Line(pos)-1+i] += part + " "
		}
	}
}
