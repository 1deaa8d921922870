package posthorn

import (
	"encoding/json"
	"fmt"
	"time"
)

// Optional is a field that can be left out. Its zero value is not sent; Set and Null are. In a response, Get returns whether the
// field is there and not null. It is a slice, because encoding/json leaves out empty slices.
type Optional[T any] []*T

// Set is a field with this value.
func Set[T any](value T) Optional[T] { return Optional[T]{&value} }

// Null is a field that is null, which clears it.
func Null[T any]() Optional[T] { return Optional[T]{nil} }

// Get returns the value, and whether there is one.
func (o Optional[T]) Get() (value T, ok bool) {
	if len(o) == 0 || o[0] == nil {
		return value, false
	}
	return *o[0], true
}

// MarshalJSON implements json.Marshaler.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if len(o) == 0 {
		return []byte("null"), nil
	}
	return json.Marshal(o[0])
}

// UnmarshalJSON implements json.Unmarshaler.
func (o *Optional[T]) UnmarshalJSON(data []byte) error {
	var value *T
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	*o = Optional[T]{value}
	return nil
}

func (o Optional[T]) given() (any, bool) { return o.Get() }

// textOf returns a value as it is written in an address or a form, and false if it was left out.
func textOf(value any) (string, bool) {
	if optional, ok := value.(interface{ given() (any, bool) }); ok {
		if value, ok = optional.given(); !ok {
			return "", false
		}
	}
	if at, ok := value.(time.Time); ok {
		return at.Format(time.RFC3339Nano), true
	}
	return fmt.Sprint(value), true
}
