import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { deriveSecrets } from '../../platform/secrets.ts'
import { preferenceLinks, preferenceToken, readPreferenceToken } from './links.ts'

const secrets = deriveSecrets('one secret')
const projectId = newId(new Date())
const contactId = newId(new Date())
const token = preferenceToken(secrets, projectId, contactId)

describe('a preference link', () => {
  it('identifies its contact, fits into a header and is the same on every call', () => {
    const links = preferenceLinks(secrets, 'https://mail.example.com', projectId, contactId)
    expect(links).toEqual({
      unsubscribeUrl: `https://mail.example.com/unsubscribe/${token}`,
      subscribeUrl: `https://mail.example.com/subscribe/${token}`,
      manageUrl: `https://mail.example.com/manage/${token}`,
    })
    expect(token).toMatch(/^[A-Za-z0-9_-]{64}$/)
    expect(readPreferenceToken(secrets, token)).toEqual({ projectId, contactId })
    expect(preferenceToken(secrets, projectId, contactId)).toBe(token)
  })

  it('is invalid if a single character is changed', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'
    for (let at = 0; at < token.length; at++) {
      for (const letter of letters) {
        if (letter === token[at]) continue
        expect(readPreferenceToken(secrets, token.slice(0, at) + letter + token.slice(at + 1))).toBeUndefined()
      }
    }
  })

  it('is invalid if the ids are swapped, or with another secret', () => {
    const swapped = Buffer.from(token, 'base64url')
    const forged = Buffer.concat([swapped.subarray(16, 32), swapped.subarray(0, 16), swapped.subarray(32)])
    expect(readPreferenceToken(secrets, forged.toString('base64url'))).toBeUndefined()
    expect(readPreferenceToken(deriveSecrets('another secret'), token)).toBeUndefined()
  })

  it("can't be guessed from any text", () => {
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => readPreferenceToken(secrets, text) === undefined))
    for (const text of [`${token}=`, `${token}A`, token.slice(1), ` ${token}`, `${token}\n`]) {
      expect(readPreferenceToken(secrets, text)).toBeUndefined()
    }
  })
})
