import { expect, it } from 'vitest'
import { CannotDecrypt } from './content-encryption.ts'
import { deriveSecrets } from './secrets.ts'

const old = deriveSecrets('the first secret', { encryptContents: true })
const rotated = deriveSecrets('the second secret', { previous: ['the first secret'], encryptContents: true })
const other = deriveSecrets('another secret', { encryptContents: true })

it('what an earlier SECRET encrypted and signed stays valid, and new values use the current one', () => {
  expect(rotated.decrypt(old.encrypt('key'))).toBe('key')
  expect(rotated.isSigned('link', 'a', old.sign('link', 'a'))).toBe(true)
  expect(rotated.validTags('link', 'a')).toEqual([rotated.sign('link', 'a'), old.sign('link', 'a')])
  expect(rotated.decryptJson('row', old.encryptJson('row', { a: 1 })!)).toEqual({ a: 1 })
  expect(() => old.decrypt(rotated.encrypt('key'))).toThrow(CannotDecrypt)
  expect(old.isSigned('link', 'a', rotated.sign('link', 'a'))).toBe(false)
  expect(rotated.sessionKey).not.toEqual(old.sessionKey)
})

it('a value that an unknown SECRET encrypted is refused with what to do', () => {
  expect(() => other.decrypt(old.encrypt('key'))).toThrow(/PREVIOUS_SECRETS/)
  expect(() => other.decryptContent('row', old.encryptContent('row', () => Buffer.from('x'))!)).toThrow(
    /PREVIOUS_SECRETS/,
  )
})

it('a changed byte anywhere and a wrong row are refused', () => {
  const encrypted = old.encryptContent('row', () => Buffer.from('the content'))!
  expect(old.decryptContent('row', encrypted).toString()).toBe('the content')
  for (let i = 0; i < encrypted.length; i++) {
    const changed = Buffer.from(encrypted)
    changed[i]! ^= 1
    expect(() => old.decryptContent('row', changed), `byte ${i}`).toThrow(CannotDecrypt)
  }
  for (const length of [0, 1, 5, 20, encrypted.length - 1]) {
    expect(() => old.decryptContent('row', encrypted.subarray(0, length))).toThrow(CannotDecrypt)
  }
  expect(() => old.decryptContent('another row', encrypted)).toThrow(CannotDecrypt)
})

it('the same content is encrypted differently each time', () => {
  const content = () => Buffer.from('the content')
  expect(old.encryptContent('row', content)).not.toEqual(old.encryptContent('row', content))
})
