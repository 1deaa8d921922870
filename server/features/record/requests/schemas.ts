/** A request in the request log. */
import { z } from 'zod'
import { isId } from '../../../kernel/ids.ts'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'
import { fromParam, toParam } from '../../../kernel/time-range.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const RequestQuery = z.object({
  limit: sizeParam(100),
  cursor: cursorParam,
  method: z
    .string()
    .transform((text) => text.toUpperCase())
    .pipe(z.enum(METHODS))
    .optional()
    .meta({ description: 'Return only requests with this method.' }),
  path: z.string().startsWith('/', 'Must start with /.').max(500, 'Must be at most 500 characters.').optional().meta({
    description:
      'Return only requests to this path. With a star at the end, to all paths that start like this: `/contacts*`.',
  }),
  status: z
    .string()
    .regex(/^[1-5](\d\d|xx)$/i, 'Must be a status such as 404, or a class such as 4xx.')
    .optional()
    .meta({ description: 'Return only responses with this status, or of this class: `4xx`.' }),
  code: z.string().max(100).optional().meta({ description: 'Return only refused requests with this error code.' }),
  keyId: z
    .string()
    .refine(
      (id) => id === 'secret' || id === 'public' || isId(id),
      'Must be the ID of an API key, "secret" or "public".',
    )
    .optional()
    .meta({
      description: 'Return only requests with this API key, or with the `secret` or `public` key of the project.',
    }),
  from: fromParam,
  to: toParam,
})

export const ApiRequest = z
  .object({
    id: z.uuid().meta({ description: 'The request ID, as in the header `X-Request-Id`.' }),
    method: z.string(),
    path: z.string().meta({ description: 'Without the query. Email addresses are replaced by `{email}`.' }),
    status: z.int(),
    code: z.string().nullable().meta({ description: 'The error code of a refused request.' }),
    durationMs: z.int(),
    key: z.object({
      type: z.enum(['secret', 'public', 'api']).meta({
        description: 'The secret or public key of the project, or an API key.',
      }),
      id: z.uuid().nullable(),
      name: z.string().meta({ description: 'As it was at the time of the request.' }),
    }),
    ip: z.string().nullable().meta({ description: 'The network of the caller: an IPv4 /24 or an IPv6 /48.' }),
    ignoredFields: z.array(z.string()).meta({
      description: "Fields of the body that the endpoint doesn't have and that were ignored.",
    }),
    error: z
      .object({
        code: z.string(),
        message: z.string(),
        errors: z.array(z.object({ field: z.string(), message: z.string(), code: z.string() })),
        suggestion: z.string().nullable(),
        docsUrl: z.string(),
      })
      .nullable()
      .meta({
        description: 'The error of the response. Values of the request and the local parts of addresses are left out.',
      }),
    createdAt: z.date(),
  })
  .meta({ id: 'ApiRequest' })

export const ApiRequestPage = cursorPageOf(ApiRequest)
