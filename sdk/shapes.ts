/**
 * The types of an endpoint's parameters and response, looked up in the generated API types by method and path:
 * `'POST /contacts'`. Endpoints that aren't in the API types have loose types.
 */
import type { components, paths } from './api-types.ts'

export type Schemas = components['schemas']
export type Loose = Record<string, unknown>

/** A method and a path as in the API reference: `GET /contacts/{id}`. */
export type Place = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

export type Operation<P extends Place> = P extends `${infer Method} ${infer Path}`
  ? Path extends keyof paths
    ? Lowercase<Method> extends keyof paths[Path]
      ? paths[Path][Lowercase<Method>]
      : unknown
    : unknown
  : unknown

type InJson<T> = T extends { content: { 'application/json': infer B } } ? B : undefined

export type Body<P extends Place> =
  Operation<P> extends { requestBody?: infer R }
    ? InJson<NonNullable<R>> extends undefined
      ? undefined
      : InJson<NonNullable<R>>
    : Loose

export type Query<P extends Place> =
  Operation<P> extends { parameters: { query?: infer Q } }
    ? [Q] extends [undefined]
      ? undefined
      : NonNullable<Q>
    : Loose

/** The body of a successful response; `undefined` if it is empty. */
export type Answer<P extends Place> =
  Operation<P> extends { responses: infer R }
    ? {
        [S in keyof R]: S extends 200 | 201 | 202 ? InJson<R[S]> : S extends 204 ? undefined : never
      }[keyof R]
    : unknown

/** `/v1` and a few other endpoints return their data as `{success, data}`. */
export type Unwrapped<T> = T extends { data: infer D } ? D : unknown

/** The items of a list. */
export type Item<P extends Place> = Answer<P> extends { data: (infer T)[] } ? T : Loose
