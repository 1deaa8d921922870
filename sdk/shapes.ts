/**
 * What goes in and what comes out of an endpoint, read from the generated description of the API by its place:
 * `'POST /contacts'`. A place the description does not know takes and gives unknown things.
 */
import type { components, paths } from './api-types.ts'

export type Schemas = components['schemas']
export type Loose = Record<string, unknown>

/** `GET /contacts/{id}`, as the API reference writes it. */
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

/** The usual answer; an empty one is `undefined`. */
export type Answer<P extends Place> =
  Operation<P> extends { responses: infer R }
    ? {
        [S in keyof R]: S extends 200 | 201 | 202 ? InJson<R[S]> : S extends 204 ? undefined : never
      }[keyof R]
    : unknown

/** `/v1` and a few others wrap what they say in `{success, data}`. */
export type Unwrapped<T> = T extends { data: infer D } ? D : unknown

/** What a list has in it. */
export type Item<P extends Place> = Answer<P> extends { data: (infer T)[] } ? T : Loose
