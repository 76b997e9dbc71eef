package scenario

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/wire"
)

// Amount is the bound of an assertion: a length ("1.5s") or a number (3, 0.5), in canonical form; "" means no bound. An
// Amount is text, so the two forms need no union type. Numbers are exact, as thousandths in an int64. A float64 cannot
// represent 0.1 exactly, and a bound of "at most 0.3 requests per second" must not fail because of rounding.
type Amount string

var amountType = reflect.TypeFor[Amount]()

// Length returns the bound in nanoseconds; ok is false for a number.
func (a Amount) Length() (ns int64, ok bool) {
	d, err := time.ParseDuration(string(a))
	return int64(d), err == nil && a != "" && !a.isNumber()
}

// Number returns the bound in thousandths; ok is false for a length.
func (a Amount) Number() (thousandths int64, ok bool) {
	whole, decimals, _ := strings.Cut(string(a), ".")
	if !a.isNumber() || len(decimals) > 3 {
		return 0, false
	}
	n, err := strconv.ParseInt(whole+decimals+"000"[len(decimals):], 10, 64)
	return n, err == nil
}

func (a Amount) isNumber() bool { return a != "" && strings.Trim(string(a), "0123456789.") == "" }

// MarshalJSON writes a number as a number and a length as text.
func (a Amount) MarshalJSON() ([]byte, error) {
	if a.isNumber() {
		return []byte(a), nil
	}
	return []byte(strconv.Quote(string(a))), nil
}

const amountRule = `must be a length with its unit, such as "15s", or a number with at most three decimals`

// maxNumber keeps a number in thousandths far from overflow.
const maxNumber = 1_000_000_000_000

// intoAmount parses a bound. The canonical form does not depend on how the author writes it: 1.50 becomes 1.5, and
// "90s" becomes "1m30s".
func (n *node) intoAmount(v reflect.Value, at place) *FieldError {
	switch n.Kind {
	case wire.Number:
		if strings.HasPrefix(n.Text, "-") {
			return n.refuse(at, "must not be negative")
		}
		thousandths, ok := Amount(n.Text).Number()
		if !ok {
			return n.refuse(at, amountRule)
		}
		if thousandths > maxNumber {
			return n.refuse(at, "must be at most 1,000,000,000")
		}
		text := strconv.FormatInt(thousandths/1000, 10)
		if rest := thousandths % 1000; rest != 0 {
			text += "." + strings.TrimRight(strconv.FormatInt(1000+rest, 10)[1:], "0")
		}
		v.SetString(text)
		return nil
	case wire.String:
		d, err := time.ParseDuration(n.Text)
		if err != nil || (n.Text == "0") {
			return n.refuse(at, amountRule)
		}
		if err := checkDuration(Duration(d), at); err != nil {
			return err
		}
		v.SetString(Duration(d).String())
		return nil
	}
	return n.refuse(at, amountRule)
}
