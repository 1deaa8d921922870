/** Storing files with signed requests. */
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openArchive } from '../../platform/storage/open-storage.ts'
import { StorageRefused, StorageUnavailable } from '../../platform/storage/storage.ts'
import { type S3Server, signatureOf, startS3Server } from '../s3-server.ts'

const NO_KEYS = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_SESSION_TOKEN: '' }
const KEY = 'a folder/events (1) ä.csv'
let s3: S3Server

beforeAll(async () => {
  s3 = await startS3Server('files')
})
afterAll(() => s3.close())

const open = (change: (url: string) => string = (url) => url) =>
  openArchive({ ...NO_KEYS, ARCHIVE: change(s3.urlOf('/prefix')) })!

describe('a file in S3', () => {
  it('is stored, read and removed, whatever its name', async () => {
    const store = open()
    expect(await store.get(KEY)).toBeUndefined()
    await store.put(KEY, Buffer.from('content'), 'text/csv')
    const file = await store.get(KEY)
    expect(file?.size).toBe(7)
    expect(await text(file!.content)).toBe('content')
    await store.remove(KEY)
    expect(await store.get(KEY)).toBeUndefined()
  })

  it('is refused with other keys, and there is no other bucket', async () => {
    const otherSecret = open((url) => url.replace('secret', 'guess'))
    await expect(otherSecret.put(KEY, Buffer.from('x'), 'text/csv')).rejects.toThrow(StorageRefused)
    await expect(otherSecret.get(KEY)).rejects.toThrow(StorageRefused)
    const otherId = open((url) => url.replace('AKIATEST', 'AKIAGUESS'))
    await expect(otherId.remove(KEY)).rejects.toThrow(StorageRefused)
    const otherBucket = open((url) => url.replace('@files', '@elsewhere'))
    await expect(otherBucket.put(KEY, Buffer.from('x'), 'text/csv')).rejects.toThrow(StorageUnavailable)
  })
})

it("the test server's signature is the one in Amazon's documentation", () => {
  const noContent = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const time = '20130524T000000Z'
  const signature = signatureOf({
    method: 'GET',
    url: '/test.txt',
    headers: [
      ['host', 'examplebucket.s3.amazonaws.com'],
      ['range', 'bytes=0-9'],
      ['x-amz-content-sha256', noContent],
      ['x-amz-date', time],
    ],
    contentHash: noContent,
    time,
    scope: '20130524/us-east-1/s3/aws4_request',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  })
  expect(signature).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
})
