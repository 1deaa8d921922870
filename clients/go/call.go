package posthorn

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	firstPause   = 250 * time.Millisecond
	longestPause = 20 * time.Second
)

// caller sends requests: authentication, retries and idempotency keys.
type caller struct {
	key       string
	base      string
	projectID string
	retries   int
	http      *http.Client
}

type values []struct {
	name  string
	value any
}

type request struct {
	method         string
	place          string
	path           values
	query          values
	body           any
	form           values
	unchangedSince time.Time
	idempotent     bool
	idempotencyKey string
}

// call returns a response that is one object.
func call[T any](ctx context.Context, c *caller, r request) (*T, error) {
	result, err := callValue[T](ctx, c, r)
	if err != nil {
		return nil, err
	}
	return &result, nil
}

// callValue returns a response of any other type, such as a list.
func callValue[T any](ctx context.Context, c *caller, r request) (result T, err error) {
	file, err := callFile(ctx, c, r)
	if err != nil {
		return result, err
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err == nil && len(content) > 0 {
		err = json.Unmarshal(content, &result)
	}
	return result, err
}

func callNothing(ctx context.Context, c *caller, r request) error {
	file, err := callFile(ctx, c, r)
	if err != nil {
		return err
	}
	return file.Close()
}

// callFile returns the body of a response, which the caller closes.
func callFile(ctx context.Context, c *caller, r request) (io.ReadCloser, error) {
	address, err := r.address(c.base)
	if err != nil {
		return nil, err
	}
	content, contentType, err := r.content()
	if err != nil {
		return nil, err
	}
	headers, err := r.headers(c, contentType)
	if err != nil {
		return nil, err
	}
	repeatable := r.method != http.MethodPost || r.idempotent
	for attempt := 0; ; attempt++ {
		sent, err := http.NewRequestWithContext(ctx, r.method, address, bytes.NewReader(content))
		if err != nil {
			return nil, err
		}
		sent.Header = headers.Clone()
		pause := pauseAfter(attempt)
		response, failure := c.http.Do(sent)
		if failure == nil {
			if response.StatusCode < 300 {
				return response.Body, nil
			}
			body, _ := io.ReadAll(response.Body)
			response.Body.Close()
			failure = refusal(response.StatusCode, body)
			isBusy := response.StatusCode == http.StatusServiceUnavailable && repeatable
			if response.StatusCode != http.StatusTooManyRequests && !isBusy {
				return nil, failure
			}
			if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
				pause = time.Duration(seconds) * time.Second
			}
		} else if !repeatable {
			return nil, failure
		}
		if attempt >= c.retries || pause > longestPause {
			return nil, failure
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

func (r request) address(base string) (string, error) {
	place := r.place
	for _, one := range r.path {
		text, _ := textOf(one.value)
		if text == "" || text == "." || text == ".." {
			return "", fmt.Errorf("posthorn: %s must not be %q", one.name, text)
		}
		place = strings.Replace(place, "{"+one.name+"}", url.PathEscape(text), 1)
	}
	query := url.Values{}
	for _, one := range r.query {
		if text, ok := textOf(one.value); ok {
			query.Add(one.name, text)
		}
	}
	if len(query) > 0 {
		place += "?" + query.Encode()
	}
	return base + place, nil
}

func (r request) headers(c *caller, contentType string) (http.Header, error) {
	headers := http.Header{"User-Agent": {"posthorn-go/" + Version}}
	if c.key != "" {
		headers.Set("Authorization", "Bearer "+c.key)
	}
	if c.projectID != "" {
		headers.Set("X-Project-Id", c.projectID)
	}
	if contentType != "" {
		headers.Set("Content-Type", contentType)
		headers.Set("Prefer", "handling=strict")
	}
	if !r.unchangedSince.IsZero() {
		headers.Set("If-Match", r.unchangedSince.UTC().Format(`"2006-01-02T15:04:05.000Z"`))
	}
	if r.idempotent {
		// The same key on each attempt, so that a lost response never causes a second email.
		key := r.idempotencyKey
		if key == "" {
			random := make([]byte, 16)
			if _, err := rand.Read(random); err != nil {
				return nil, err
			}
			key = fmt.Sprintf("%x", random)
		}
		headers.Set("Idempotency-Key", key)
		headers.Set("Idempotency-Replay", "true")
	}
	return headers, nil
}

func (r request) content() (content []byte, contentType string, err error) {
	if r.form == nil {
		if r.body == nil {
			return nil, "", nil
		}
		content, err = json.Marshal(r.body)
		return content, "application/json", err
	}
	var buffer bytes.Buffer
	form := multipart.NewWriter(&buffer)
	for _, one := range r.form {
		if file, ok := one.value.([]byte); ok {
			part, err := form.CreateFormFile(one.name, one.name)
			if err != nil {
				return nil, "", err
			}
			if _, err := part.Write(file); err != nil {
				return nil, "", err
			}
		} else if text, ok := textOf(one.value); ok {
			if err := form.WriteField(one.name, text); err != nil {
				return nil, "", err
			}
		}
	}
	err = form.Close()
	return buffer.Bytes(), form.FormDataContentType(), err
}

// pauseAfter doubles with each attempt; half of it is random, so that clients don't retry at the same time.
func pauseAfter(attempt int) time.Duration {
	longest := firstPause << attempt
	random, err := rand.Int(rand.Reader, big.NewInt(int64(longest/2)))
	if err != nil {
		return longest
	}
	return longest/2 + time.Duration(random.Int64())
}
