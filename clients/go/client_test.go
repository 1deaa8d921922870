// Run by server/test/project/go-client.test.ts against a service, whose address and key are in the environment.
package posthorn_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	posthorn "github.com/posthorn/posthorn/clients/go"
)

var ctx = context.Background()

// check fails the test if there is an error, and returns the value.
func check[T any](t *testing.T) func(value T, err error) T {
	t.Helper()
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func newClient(t *testing.T) *posthorn.Client {
	t.Helper()
	if os.Getenv("POSTHORN_URL") == "" {
		t.Skip("POSTHORN_URL is not set")
	}
	return posthorn.New("")
}

func TestSendsReadsChangesAndDeletes(t *testing.T) {
	client := newClient(t)
	sent := check[*posthorn.EmailsSendResult](t)(client.Emails.Send(ctx, posthorn.EmailsSendParams{
		To:      []any{posthorn.Address{Email: "ada@example.org", Name: "Ada"}},
		From:    posthorn.Set[any]("me@example.com"),
		Subject: posthorn.Set("Hi"),
		Body:    posthorn.Set("<p>Hi</p>"),
		Tags:    posthorn.Set(map[string]string{"a": "b"}),
	}))
	email := check[*posthorn.EmailWithContent](t)(client.Emails.Get(ctx, sent.Data.Emails[0].Email))
	if email.Subject != "Hi" || email.Tags["a"] != "b" || time.Since(email.CreatedAt) > time.Hour {
		t.Errorf("unexpected email: %+v", email)
	}
	contact := check[*posthorn.UpsertedContact](t)(client.Contacts.Upsert(ctx, posthorn.ContactsUpsertParams{
		Email: "bob@example.org",
		Data:  posthorn.Set(map[string]any{"plan": "pro", "size": 3}),
	}))
	if !contact.Subscribed || !contact.Meta.IsNew {
		t.Errorf("unexpected contact: %+v", contact)
	}
	changed := check[*posthorn.Contact](t)(client.Contacts.Update(ctx, contact.ID, posthorn.ContactsUpdateParams{
		Subscribed: posthorn.Set(false),
		Data:       posthorn.Set(map[string]any{"plan": nil}),
	}))
	if changed.Subscribed || len(changed.Data) != 1 {
		t.Errorf("unexpected contact: %+v", changed)
	}
	found := check[*posthorn.ContactsListResult](t)(client.Contacts.List(ctx, posthorn.ContactsListParams{
		Search: posthorn.Set("bob"),
		Limit:  posthorn.Set[int64](1),
	}))
	if len(found.Data) != 1 || found.Data[0].Email != "bob@example.org" {
		t.Errorf("unexpected list: %+v", found)
	}
	if err := client.Contacts.Delete(ctx, contact.ID); err != nil {
		t.Fatal(err)
	}
	template := check[*posthorn.Template](t)(client.Templates.Upsert(ctx, "Hello/World", posthorn.TemplatesUpsertParams{
		Subject:     "S",
		From:        "me@example.com",
		Body:        posthorn.Set("<p>B</p>"),
		Description: posthorn.Set("for people"),
	}))
	cleared := check[*posthorn.Template](t)(client.Templates.Update(ctx, template.ID, posthorn.TemplatesUpdateParams{
		Description: posthorn.Null[string](),
	}))
	if template.Name != "Hello/World" || template.Description == nil || cleared.Description != nil {
		t.Errorf("unexpected templates: %+v %+v", template, cleared)
	}
	var refused *posthorn.Error
	_, err := client.Templates.Update(ctx, template.ID, posthorn.TemplatesUpdateParams{Subject: posthorn.Set("T"), UnchangedSince: time.Unix(0, 0)})
	if !errors.As(err, &refused) || refused.Status != 412 {
		t.Errorf("unexpected error: %v", err)
	}
	check[*posthorn.Template](t)(client.Templates.Update(ctx, template.ID, posthorn.TemplatesUpdateParams{Subject: posthorn.Set("T"), UnchangedSince: cleared.UpdatedAt}))
	if segments := check[[]posthorn.Segment](t)(client.Segments.List(ctx, posthorn.SegmentsListParams{})); len(segments) != 0 {
		t.Errorf("unexpected segments: %+v", segments)
	}
}

func TestUploadsAndDownloadsFiles(t *testing.T) {
	client := newClient(t)
	job := check[*posthorn.QueuedImport](t)(client.Contacts.Import(ctx, posthorn.ContactsImportParams{File: []byte("email\nfile@example.org\n")}))
	if job.JobID == "" {
		t.Error("the import has no job")
	}
	file := check[io.ReadCloser](t)(client.Suppressions.Export(ctx))
	defer file.Close()
	if text := check[[]byte](t)(io.ReadAll(file)); !strings.HasPrefix(string(text), "email,") {
		t.Errorf("unexpected file: %s", text)
	}
}

func TestSendsOnceForAKeyAndReturnsRefusals(t *testing.T) {
	client := newClient(t)
	params := posthorn.EmailsSendParams{
		To:             "once@example.org",
		From:           posthorn.Set[any]("me@example.com"),
		Subject:        posthorn.Set("Hi"),
		Body:           posthorn.Set("B"),
		IdempotencyKey: "receipt-1",
	}
	first := check[*posthorn.EmailsSendResult](t)(client.Emails.Send(ctx, params))
	again := check[*posthorn.EmailsSendResult](t)(client.Emails.Send(ctx, params))
	if first.Data.Emails[0].Email != again.Data.Emails[0].Email {
		t.Error("the email was sent twice")
	}
	params.To, params.IdempotencyKey = "not an address", ""
	_, err := client.Emails.Send(ctx, params)
	var refused *posthorn.Error
	if !errors.As(err, &refused) || refused.Status != 422 || refused.Code != "VALIDATION_ERROR" || refused.Errors[0].Field != "to" {
		t.Errorf("unexpected error: %v", err)
	}
	if !strings.HasSuffix(refused.DocsURL, "/docs/errors/VALIDATION_ERROR") || refused.RequestID == "" {
		t.Errorf("unexpected error: %+v", refused)
	}
	_, err = client.Templates.Create(ctx, posthorn.TemplatesCreateParams{Name: "N", Subject: "S"})
	if !errors.As(err, &refused) || refused.Status != 400 || refused.Message == "" {
		t.Errorf("unexpected error: %v", err)
	}
	if _, err := client.Contacts.Get(ctx, ".."); err == nil {
		t.Error("a segment of the path was accepted as an ID")
	}
}

func TestRetriesWhenItIsSafe(t *testing.T) {
	var keys []string
	busy := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		keys = append(keys, request.Header.Get("Idempotency-Key"))
		if len(keys)%3 != 0 {
			response.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = response.Write([]byte("{}"))
	}))
	defer busy.Close()
	client := posthorn.New("sk_test", posthorn.WithBaseURL(busy.URL+"/"))
	if _, err := client.Emails.Send(ctx, posthorn.EmailsSendParams{To: "a@example.org"}); err != nil {
		t.Fatal(err)
	}
	if len(keys) != 3 || keys[0] == "" || keys[0] != keys[1] || keys[0] != keys[2] {
		t.Errorf("unexpected keys: %v", keys)
	}
	var refused *posthorn.Error
	if _, err := client.Segments.Compute(ctx, "one"); !errors.As(err, &refused) || refused.Status != 503 || len(keys) != 4 {
		t.Errorf("unexpected error after %d requests: %v", len(keys), err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := client.Emails.Get(stopped, "one"); !errors.Is(err, context.Canceled) {
		t.Errorf("unexpected error: %v", err)
	}
}

func TestVerifiesWebhooks(t *testing.T) {
	key := []byte("a secret of twenty-four bytes")
	secret := "whsec_" + base64.StdEncoding.EncodeToString(key)
	body := []byte(`{"type":"email.bounce","timestamp":"2026-11-18T09:30:00.000Z","data":{}}`)
	signed := func(at time.Time) http.Header {
		seconds := strconv.FormatInt(at.Unix(), 10)
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte("msg_1." + seconds + "." + string(body)))
		headers := http.Header{}
		headers.Set("webhook-id", "msg_1")
		headers.Set("webhook-timestamp", seconds)
		headers.Set("webhook-signature", "v1,b2xk v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		return headers
	}
	if event := check[*posthorn.WebhookEvent](t)(posthorn.VerifyWebhook(body, signed(time.Now()), secret)); event.Type != "email.bounce" {
		t.Errorf("unexpected event: %+v", event)
	}
	for _, wrong := range []struct {
		body    []byte
		headers http.Header
	}{{append(body, ' '), signed(time.Now())}, {body, signed(time.Now().Add(-time.Hour))}, {body, http.Header{}}} {
		if _, err := posthorn.VerifyWebhook(wrong.body, wrong.headers, secret); !errors.Is(err, posthorn.ErrInvalidSignature) {
			t.Errorf("unexpected error: %v", err)
		}
	}
}
