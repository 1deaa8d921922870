/** The signer and its threads, started from the sources and from a bundle. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type DkimKey, dkimSignature } from '../../platform/mime/dkim.ts'
import { createSigner, type Signer } from '../../platform/mime/signer.ts'

const AT = new Date('2026-03-01T10:00:00Z')
const rsa: DkimKey = {
  domain: 'example.com',
  selector: 'posthorn',
  privateKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
}
/** Each signature takes several milliseconds. */
const slow: DkimKey = { ...rsa, privateKey: generateKeyPairSync('rsa', { modulusLength: 4096 }).privateKey }
const message = (n: number, bytes = 10) =>
  Buffer.from(`From: shop@example.com\r\nSubject: number ${n}\r\n\r\n${'x'.repeat(bytes)}\r\n`)

let signer: Signer
beforeEach(() => {
  signer = createSigner()
})
afterEach(() => signer.close())

describe('the signer', () => {
  it('gives each of many messages its own signature, the same as without a thread', async () => {
    const messages = Array.from({ length: 60 }, (_, n) => message(n))
    const signatures = await Promise.all(messages.map((raw) => signer.sign(raw, rsa, AT, 0)))
    expect(signatures).toEqual(messages.map((raw) => dkimSignature(raw, rsa, AT)))
  })

  it('signs large and small messages together', async () => {
    const messages = [message(1, 3_000_000), message(2), message(3, 900_000), message(4, 900_000)]
    const signatures = await Promise.all(messages.map((raw) => signer.sign(raw, rsa, AT, 0)))
    expect(signatures).toEqual(messages.map((raw) => dkimSignature(raw, rsa, AT)))
  })

  it('signs the largest possible message, full of spaces', async () => {
    const raw = Buffer.from(`From: shop@example.com\r\n\r\n${'some  text \tin columns  \r\n'.repeat(1_600_000)}`)
    expect(raw.length).toBeGreaterThan(40_000_000)
    expect(await signer.sign(raw, rsa, AT, 0)).toBe(dkimSignature(raw, rsa, AT))
  })

  it('continues after a message that could not be passed to a thread', async () => {
    const strange = { ...rsa, privateKey: (() => 'no key') as unknown as KeyObject }
    await expect(signer.sign(message(1), strange, AT, 0)).rejects.toThrow('could not be cloned')
    expect(await signer.sign(message(2), rsa, AT, 0)).toBe(dkimSignature(message(2), rsa, AT))
  })

  it('fails only the message whose key cannot sign', async () => {
    const broken = { ...rsa, privateKey: generateKeyPairSync('x25519').privateKey }
    const [good, bad, alsoGood] = await Promise.allSettled([
      signer.sign(message(1), rsa, AT, 0),
      signer.sign(message(2), broken, AT, 0),
      signer.sign(message(3), rsa, AT, 0),
    ])
    expect([good.status, bad.status, alsoGood.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((bad as PromiseRejectedResult).reason.message).toMatch(/^A message could not be signed: /)
  })

  it('signs an urgent message before campaign messages that are already waiting', async () => {
    signer = createSigner(1)
    await signer.sign(message(0), slow, AT, 20) // the thread has started, and the time of a signature is known
    const order: string[] = []
    const campaign = Array.from({ length: 40 }, async (_, n) => {
      await signer.sign(message(n), slow, AT, 20)
      order.push('campaign')
    })
    await campaign[0]
    await signer.sign(message(100), rsa, AT, 0)
    order.push('urgent')
    await Promise.all(campaign)
    // The thread may already have two batches.
    expect(order.indexOf('urgent')).toBeLessThan(8)
  })

  it('signs a message of one project before most of those that another project has waiting', async () => {
    signer = createSigner(1)
    await signer.sign(message(0), slow, AT, 20, 'hog')
    const order: string[] = []
    const hog = Array.from({ length: 40 }, async (_, n) => {
      await signer.sign(message(n), slow, AT, 20, 'hog')
      order.push('hog')
    })
    await hog[0]
    await signer.sign(message(100), rsa, AT, 20, 'other')
    order.push('other')
    await Promise.all(hog)
    expect(order.indexOf('other')).toBeLessThan(8) // as for an urgent message
  })

  it('starts a thread for each core while messages wait, and only one for a single message', async () => {
    signer = createSigner(3)
    await signer.sign(message(0), slow, AT, 0)
    expect(signer.threads()).toBe(1)
    const signed: Array<Promise<Buffer | string>> = []
    let waiting = 0
    const keepWaiting = () => {
      for (; waiting < 60; waiting++) {
        const signing = signer.sign(message(signed.length % 60), slow, AT, 20)
        signed.push(signing.finally(() => waiting--))
      }
    }
    await vi.waitFor(
      () => {
        keepWaiting()
        expect(signer.threads()).toBe(3)
      },
      { interval: 1, timeout: 60_000 },
    )
    const expected = Array.from({ length: 60 }, (_, n) => dkimSignature(message(n), slow, AT))
    expect(await Promise.all(signed)).toEqual(signed.map((_, n) => expected[n % 60]))
  })

  it('ends its last thread after a minute without work, and starts another for the next message', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await signer.sign(message(1), rsa, AT, 0)
      vi.advanceTimersByTime(50_000)
      expect(signer.threads()).toBe(1)
      vi.advanceTimersByTime(11_000)
      expect(signer.threads()).toBe(0)
      expect(await signer.sign(message(2), rsa, AT, 0)).toBe(dkimSignature(message(2), rsa, AT))
      expect(signer.threads()).toBe(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it('rejects waiting messages when it is closed', async () => {
    const waiting = Array.from({ length: 100 }, (_, n) => signer.sign(message(n), rsa, AT, 0))
    const settled = Promise.allSettled(waiting)
    await new Promise((resolve) => setImmediate(resolve))
    await signer.close()
    expect((await settled).every(({ status }) => status === 'rejected')).toBe(true)
    await expect(signer.sign(message(1), rsa, AT, 0)).rejects.toThrow('The signer is closed.')
  })

  it('finds its thread file in a bundle', async () => {
    const outdir = await mkdtemp(path.join(tmpdir(), 'posthorn-signing-'))
    try {
      const folder = path.join(import.meta.dirname, '../../platform/mime')
      const entryPoints = [path.join(folder, 'signer.ts'), path.join(folder, 'signing-thread.ts')]
      await build({ entryPoints, outdir, bundle: true, platform: 'node', format: 'esm' })
      await writeFile(path.join(outdir, 'package.json'), '{"type": "module"}')
      const bundle = (await import(/* @vite-ignore */ pathToFileURL(path.join(outdir, 'signer.js')).href)) as {
        createSigner: typeof createSigner
      }
      signer = bundle.createSigner()
      expect(await signer.sign(message(1), rsa, AT, 0)).toBe(dkimSignature(message(1), rsa, AT))
      await signer.close()
    } finally {
      await rm(outdir, { recursive: true, force: true })
    }
  })
})
