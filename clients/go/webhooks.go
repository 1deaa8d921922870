package posthorn

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ErrInvalidSignature is returned for a webhook that was not sent by the service, or is too old.
var ErrInvalidSignature = errors.New("posthorn: the signature of the webhook is invalid")

// webhookAge is how far the time of a webhook may be from now, so that an old one can't be sent again.
const webhookAge = 5 * time.Minute

// WebhookEvent is the body of a webhook.
type WebhookEvent struct {
	Type      string          `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

// VerifyWebhook checks the signature of a webhook and returns its body. The body must be exactly what was received. `secret` is
// that of the endpoint, whsec_….
func VerifyWebhook(body []byte, headers http.Header, secret string) (*WebhookEvent, error) {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || id == "" {
		return nil, ErrInvalidSignature
	}
	if age := time.Since(time.Unix(seconds, 0)); age > webhookAge || age < -webhookAge {
		return nil, ErrInvalidSignature
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, signature := range strings.Fields(headers.Get("webhook-signature")) {
		if hmac.Equal([]byte(signature), expected) {
			event := &WebhookEvent{}
			return event, json.Unmarshal(body, event)
		}
	}
	return nil, ErrInvalidSignature
}
