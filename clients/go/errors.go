package posthorn

import (
	"encoding/json"
	"fmt"
)

// Error is a request that the API refused. Use errors.As to get it.
type Error struct {
	// Status is the HTTP status of the response.
	Status int `json:"statusCode"`
	// Code is stable, such as VALIDATION_ERROR.
	Code    string `json:"code"`
	Message string `json:"message"`
	// Errors is what is wrong with which field.
	Errors     []FieldError   `json:"errors"`
	Details    map[string]any `json:"details"`
	Suggestion string         `json:"suggestion"`
	RequestID  string         `json:"requestId"`
	DocsURL    string         `json:"docsUrl"`
}

// FieldError is one field that is wrong.
type FieldError struct {
	Field   string `json:"field"`
	Message string `json:"message"`
	Code    string `json:"code"`
}

func (e *Error) Error() string {
	return fmt.Sprintf("posthorn: %s (%d %s)", e.Message, e.Status, e.Code)
}

// refusal reads the error of a response. A proxy in front of the service may respond with something other than JSON.
func refusal(status int, content []byte) *Error {
	var body struct {
		Error json.RawMessage `json:"error"`
	}
	result := &Error{}
	if json.Unmarshal(content, &body) == nil && json.Unmarshal(body.Error, result) != nil {
		_ = json.Unmarshal(body.Error, &result.Message) // a few endpoints respond with a text
	}
	result.Status = status
	if result.Code == "" {
		result.Code = "UNKNOWN"
	}
	if result.Message == "" {
		result.Message = fmt.Sprintf("The response was %d.", status)
	}
	return result
}
