import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveSecrets } from '../../../platform/secrets.ts'
import { readSettings } from '../../../settings/read-settings.ts'
import { emailOfReturnPath, returnPathOf } from './signing.ts'

const ctx = { secrets: deriveSecrets('a secret for tests only'), settings: readSettings({}) }
const email = {
  id: '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b',
  project_id: '019a0000-ffff-7000-bfff-00000000ffff',
  from_email: 'hallo@müller.example',
}

describe('a return path', () => {
  it("is the sender's address if reports can't be received", () => {
    expect(returnPathOf(ctx, email)).toBe(email.from_email)
  })

  it('identifies its email, in any case, and fits into an address', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (id, projectId) => {
        const path = returnPathOf(ctx, { ...email, id, project_id: projectId }, true)
        expect(path).toMatch(/^b-[a-z2-7]+@bounces\.xn--mller-kva\.example$/)
        expect(path.indexOf('@')).toBeLessThanOrEqual(64)
        expect(emailOfReturnPath(ctx, path)).toEqual({ projectId, emailId: id })
        expect(emailOfReturnPath(ctx, ` ${path.toUpperCase()} `)).toEqual({ projectId, emailId: id })
      }),
    )
  })

  it('stays the same in later versions, because reports are received days after the email', () => {
    const path = 'b-agnaaah775yabp77aaaaaah774azukz4jvph6yektmgb2lr7jjnylrhm2uuia@bounces.xn--mller-kva.example'
    expect(returnPathOf(ctx, email, true)).toBe(path)
    expect(emailOfReturnPath(ctx, path)).toEqual({ projectId: email.project_id, emailId: email.id })
  })

  it('identifies nothing if it is changed, from another installation or another address', () => {
    const path = returnPathOf(ctx, email, true)
    const other = { secrets: deriveSecrets('another secret for tests') }
    expect(emailOfReturnPath(other, path)).toBeUndefined()
    for (let at = 2; at < path.indexOf('@'); at++) {
      const letter = path[at] === 'a' ? 'b' : 'a'
      expect(emailOfReturnPath(ctx, path.slice(0, at) + letter + path.slice(at + 1)), path).toBeUndefined()
    }
    for (const last of 'bcdefghijklmnopqrstuvwxyz234567') {
      expect(emailOfReturnPath(ctx, path.replace('a@', `${last}@`)), last).toBeUndefined()
    }
    for (const address of ['', 'b-@bounces.example.com', 'ada@example.com', path.replace('bounces.', '')]) {
      expect(emailOfReturnPath(ctx, address)).toBeUndefined()
    }
  })
})
