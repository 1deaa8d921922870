/** Every code that `error.code` can have, with what it means and what to do. The type of refusals, the pages and docs/errors.md come from it. */
export const ERROR_CODES = {
  BAD_REQUEST: {
    status: 400,
    meaning: "The request can't be processed as it is.",
    advice: 'Correct what `error.message` names. Repeating the same request has the same result.',
  },
  INVALID_REQUEST_BODY: {
    status: 400,
    meaning: 'The body is not valid JSON.',
    advice: 'Send JSON in UTF-8 with `Content-Type: application/json`. Check quotes, commas and the end of the body.',
  },
  MISSING_AUTH: {
    status: 401,
    meaning: 'The request has no key and no session, or the header is malformed.',
    advice: 'Send `Authorization: Bearer <key>`, with a space after `Bearer`.',
  },
  INVALID_API_KEY: {
    status: 401,
    meaning: 'The key is unknown, expired, deleted or replaced, or it is of the wrong kind for this endpoint.',
    advice:
      'Copy the current key from Settings > API keys. `POST /v1/track` takes the public key, everything else the secret key or a key with the scope.',
  },
  INVALID_CREDENTIALS: {
    status: 401,
    meaning: 'The email address or the password is wrong.',
    advice: 'Check both, or reset the password with `POST /auth/request-password-reset`.',
  },
  TWO_FACTOR_REQUIRED: {
    status: 401,
    meaning: 'The account has two-factor authentication, and the code is missing.',
    advice: 'Send the current code of the authenticator app, or a recovery code, as `code`.',
  },
  UNAUTHORIZED: {
    status: 401,
    meaning: 'The session has expired or was ended.',
    advice: 'Sign in again.',
  },
  BILLING_LIMIT_EXCEEDED: {
    status: 402,
    meaning: 'A monthly limit of the project is reached. `error.details` names it.',
    advice: 'Raise the limit in the billing settings, or wait for the next calendar month.',
  },
  FORBIDDEN: {
    status: 403,
    meaning: 'The caller is known but may not do this.',
    advice:
      'Use an account with a higher role, or a key with the scope in `error.details.requiredScope` from an allowed address.',
  },
  PROJECT_ACCESS_DENIED: {
    status: 403,
    meaning: 'The signed-in person is not a member of the project in `X-Project-Id`.',
    advice: 'Choose a project from `GET /users/@me/projects`, or ask its owner for an invitation.',
  },
  PROJECT_DISABLED: {
    status: 403,
    meaning: 'The project is disabled, so it can only be read.',
    advice: 'Enable it in its settings. Ask the operator if it was disabled because of bounces or complaints.',
  },
  SIGNUPS_DISABLED: {
    status: 403,
    meaning: "This installation doesn't accept new accounts.",
    advice: 'Ask the operator for an invitation.',
  },
  CONTACT_NOT_FOUND: {
    status: 404,
    meaning: 'The project has no contact with this ID.',
    advice: "Find it with `POST /contacts/lookup` or `GET /contacts`. IDs of other projects don't exist for this key.",
  },
  TEMPLATE_NOT_FOUND: {
    status: 404,
    meaning: 'The project has no template with this ID or name.',
    advice: 'List them with `GET /templates`.',
  },
  CAMPAIGN_NOT_FOUND: {
    status: 404,
    meaning: 'The project has no campaign with this ID.',
    advice: 'List them with `GET /campaigns`.',
  },
  WORKFLOW_NOT_FOUND: {
    status: 404,
    meaning: 'The project has no workflow with this ID.',
    advice: 'List them with `GET /workflows`.',
  },
  SEGMENT_NOT_FOUND: {
    status: 404,
    meaning: 'The project has no segment with this ID.',
    advice: 'List them with `GET /segments`.',
  },
  RESOURCE_NOT_FOUND: {
    status: 404,
    meaning: "The endpoint or the resource doesn't exist. `error.details` names it.",
    advice: 'Check the path and the method in the API reference, and the ID in the corresponding list.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    meaning: 'The request was not received completely in time.',
    advice: 'Send the whole request within a minute.',
  },
  CONFLICT: {
    status: 409,
    meaning: "The current state doesn't allow it: something exists already, is in use, or is no longer in this status.",
    advice: 'Read the resource again and decide with its current state.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    meaning: 'Another request with this `Idempotency-Key` was accepted, or is being processed.',
    advice: "Don't repeat the request: `error.details` describes the first one. Use a new key for a different request.",
  },
  PRECONDITION_FAILED: {
    status: 412,
    meaning: 'The resource was changed since you read the version that `If-Match` names.',
    advice: 'Read it again, apply your change to the current version, and save with its `ETag` in `If-Match`.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    meaning: 'The body, a file or an attachment exceeds the maximum size, which `error.message` names.',
    advice: 'Send less in one request, or link to large files instead of attaching them.',
  },
  VALIDATION_ERROR: {
    status: 422,
    meaning: 'Fields of the request are invalid. `error.errors` lists each with its path, a sentence and a code.',
    advice: 'Correct every field in `error.errors`. Nothing was changed.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    meaning: 'Too many requests in a short time.',
    advice: 'Wait for the number of seconds in `Retry-After`, then repeat the request.',
  },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    meaning:
      'With status 500, an error in Posthorn. With status 403, the domain of the sender is not verified in this project.',
    advice:
      'With status 403, add the domain, set its DNS records and verify it. With status 500, repeat the request; the log of the service has the details under `error.requestId`.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    meaning: 'The database is unavailable, or the request waited for too long. Nothing was changed.',
    advice: 'Repeat the request after the number of seconds in `Retry-After`.',
  },
} as const satisfies Record<string, { status: number; meaning: string; advice: string }>

export type ErrorCode = keyof typeof ERROR_CODES

/** The address of the page about a code. */
export const docsUrlOf = (baseUrl: string, code: string): string => `${baseUrl}/docs/errors/${code}`

/** The page about a code, as Markdown; undefined if there is no such code. */
export function errorMarkdown(code: string): string | undefined {
  if (!Object.hasOwn(ERROR_CODES, code)) return undefined
  const { status, meaning, advice } = ERROR_CODES[code as ErrorCode]
  const example = { success: false, error: { code, message: '…', statusCode: status, requestId: '…' } }
  return `# ${code}

HTTP status ${status}. ${meaning}

## What to do

${advice}

## In a response

\`\`\`json
${JSON.stringify(example, null, 2)}
\`\`\`

\`error.message\` names what is wrong in this request. If you need help, include \`error.requestId\`, which the log of the service contains too.
[Errors in the API](../api.md#errors) describes all fields, and [Errors](../errors.md) lists all codes.
`
}

/** docs/errors.md. */
export function errorsDocument(): string {
  const sections = Object.entries(ERROR_CODES).map(
    ([code, { status, meaning, advice }]) => `## ${code}\n\nStatus ${status}. ${meaning}\n\n${advice}\n`,
  )
  return `# Errors

The meaning of every \`error.code\`, and what to do. Each error response links to its section in \`error.docsUrl\`; [api.md](api.md#errors)
describes the shape of error responses. Match on \`error.code\`, because messages can change.

\`\`\`sh
curl $POSTHORN_URL/docs/errors/VALIDATION_ERROR
\`\`\`

<!-- Generated by \`npm run generate\` from server/kernel/error-codes.ts. -->

${sections.join('\n')}`
}
