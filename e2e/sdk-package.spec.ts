/** The SDK package: packed, unpacked elsewhere, and used from JavaScript, TypeScript and a web page. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMigratedService } from '../server/test/migrated-service.ts'
import { call, type ServiceProcess } from '../server/test/service-process.ts'
import { itInBrowser, sharedBrowser, watchPage } from './browser.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '..')
const home = mkdtempSync(path.join(tmpdir(), 'posthorn-package-'))
const unpacked = path.join(home, 'node_modules/@posthorn/sdk')

let service: ServiceProcess
let keys: { publicKey: string; secretKey: string }

beforeAll(async () => {
  const npm = ['pack', '--offline', '--pack-destination', home]
  await run('npm', npm, { cwd: path.join(root, 'sdk') })
  mkdirSync(unpacked, { recursive: true })
  const archive = readdirSync(home).find((name) => name.endsWith('.tgz'))!
  await run('tar', ['-xzf', path.join(home, archive), '--strip-components=1', '-C', unpacked])
  service = await startMigratedService({ DATA_DIR: path.join(home, 'data'), PORT: '0' })
  keys = JSON.parse(readFileSync(path.join(home, 'data/first-run.json'), 'utf8'))
})

afterAll(async () => {
  await service?.stop()
  rmSync(home, { recursive: true, force: true })
})

const filesOf = () => readdirSync(unpacked, { recursive: true, encoding: 'utf8' }).sort()

it('the SDK package contains code, types, a license and a readme, and no sources', () => {
  const files = filesOf()
  expect(files).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']),
  )
  expect(files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([])
})

it('the SDK imports only its own files', () => {
  for (const name of filesOf().filter((one) => one.endsWith('.js'))) {
    const { importedFiles } = ts.preProcessFile(readFileSync(path.join(unpacked, name), 'utf8'), true, true)
    const allowed = name === 'dist/bundle.js' ? /^$/ : /^\.\/[a-z-]+\.js$/
    expect(importedFiles.map(({ fileName }) => fileName).filter((one) => !allowed.test(one))).toEqual([])
  }
})

async function output(name: string, program: string): Promise<string> {
  writeFileSync(path.join(home, name), program)
  const env = { PATH: process.env.PATH, KEY: keys.secretKey, BASE: service.baseUrl }
  return (await run(process.execPath, [name], { cwd: home, env })).stdout
}

it.each(['@posthorn/sdk', '@posthorn/sdk/bundle'])('the SDK sends an email from JavaScript (%s)', async (name) => {
  const program = `import { Posthorn, unwrap } from '${name}'
    const posthorn = new Posthorn(process.env.KEY, { baseUrl: process.env.BASE })
    const mail = { to: 'ada@example.org', from: 'hello@example.com', subject: 'Hello', body: '<p>Hello</p>' }
    const { data, error } = await posthorn.emails.send(mail)
    const refused = await posthorn.emails.send({ ...mail, to: 'nobody' })
    const found = []
    for await (const contact of posthorn.contacts.all()) found.push(contact.email)
    const email = await unwrap(posthorn.emails.get(data.emails[0].email))
    console.log(JSON.stringify({ error, to: email.to, refused: refused.error.code, found }))`
  expect(JSON.parse(await output('use.mjs', program))).toEqual({
    to: 'ada@example.org',
    refused: 'VALIDATION_ERROR',
    found: ['ada@example.org'],
  })
})

it('the SDK has types for every field, and a wrong field is a type error', async () => {
  writeFileSync(
    path.join(home, 'use.ts'),
    `import { Posthorn, type Schemas } from '@posthorn/sdk'
    const posthorn = new Posthorn('sk_x')
    export async function emailOf(id: string): Promise<string | undefined> {
      const { data, error } = await posthorn.contacts.get(id)
      const contact: Schemas['Contact'] | undefined = data
      return error ? undefined : contact?.email
    }
    // @ts-expect-error: an email has a subject, not a title
    export const wrong = posthorn.emails.send({ to: 'a@example.org', from: 'b@example.com', title: 'x', body: 5 })
    `,
  )
  const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', target: 'es2022', types: [] }
  const config = { compilerOptions: { ...compilerOptions, lib: ['es2023', 'dom'] }, files: ['use.ts'] }
  writeFileSync(path.join(home, 'tsconfig.json'), JSON.stringify(config))
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [tsc, '-p', home]).catch((failed: { stdout: string }) => failed)
  expect(stdout).toBe('')
})

itInBrowser('the SDK tracks an event from a web page of another origin without a build step', async () => {
  const page = `<!doctype html><title>A shop</title><link rel="icon" href="data:,"><script type="module">
    import { Posthorn } from '/posthorn.js'
    const posthorn = new Posthorn('${keys.publicKey}', { baseUrl: '${service.baseUrl}' })
    const { error } = await posthorn.events.track({ email: 'page@example.org', event: 'visited' })
    document.body.textContent = error ? error.code : 'tracked'
  </script><body></body>`
  const shop = createServer((request, response) => {
    const isScript = request.url === '/posthorn.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? readFileSync(path.join(unpacked, 'dist/bundle.js')) : page)
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const browser = await sharedBrowser.acquire()
  const visitor = await browser.newPage()
  try {
    const { errors } = watchPage(visitor, service.baseUrl)
    await visitor.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`)
    await visitor.getByText('tracked').waitFor()
    expect(errors).toEqual([])
    const { body } = await call(service, 'GET', '/events?name=visited', { key: keys.secretKey })
    expect(body.data).toMatchObject([{ name: 'visited', contact: { email: 'page@example.org' } }])
  } finally {
    await visitor.close()
    sharedBrowser.release()
    shop.close()
  }
})
