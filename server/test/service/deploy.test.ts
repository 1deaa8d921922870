/**
 * The deployment files: image, Compose file, systemd unit, reverse proxies, CI. They are parsed without a container
 * engine, and every setting in them is validated by the code that reads it at startup.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { routes } from '../../app.ts'
import type { Context } from '../../context.ts'
import { SETTINGS } from '../../settings/config.ts'
import { readSettings } from '../../settings/read-settings.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const { load: parseYaml } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown }

/** As described in docs/operate.md. */
const STOPS_WITHIN_SECONDS = 10

function expectSettings(env: Record<string, string>): void {
  const { NODE_ENV: _, ...settings } = env
  expect(Object.keys(SETTINGS)).toEqual(expect.arrayContaining(Object.keys(settings)))
  expect(() => readSettings(settings)).not.toThrow()
}

interface Instruction {
  name: string
  text: string
  /** The working directory it runs in. */
  folder: string
}

interface Stage {
  base: string
  name: string
  instructions: Instruction[]
}

function parseDockerfile(text: string): Stage[] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: Stage[] = []
  let folder = '/'
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (name === 'FROM') {
      const [base = '', , alias = ''] = rest.split(/\s+/)
      stages.push({ base, name: alias, instructions: [] })
      folder = '/'
    } else {
      if (name === 'WORKDIR') folder = rest
      stages.at(-1)!.instructions.push({ name, text: rest, folder })
    }
  }
  return stages
}

describe('Dockerfile', () => {
  const stages = parseDockerfile(read('Dockerfile'))
  const final = stages.at(-1)!
  const all = (name: string, stage = final) => stage.instructions.filter((instruction) => instruction.name === name)
  const only = (name: string) => {
    const found = all(name)
    expect(found, name).toHaveLength(1)
    return found[0]!.text
  }
  const env = Object.fromEntries(
    only('ENV')
      .split(/\s+/)
      .map((pair) => pair.split('=') as [string, string]),
  )

  it('The Dockerfile builds every stage on the same Debian image of a supported Node.js', () => {
    const [base, ...others] = new Set(stages.map((stage) => stage.base))
    expect(others).toEqual([])
    const [, major, debian] = /^node:(\d+)-(\w+)-slim@sha256:[0-9a-f]{64}$/.exec(base!) ?? []
    expect(Number(major)).toBeGreaterThanOrEqual(20)
    expect(['bookworm', 'trixie']).toContain(debian) // Alpine has no glibc, which the embedded PostgreSQL needs
  })

  it('The Dockerfile names no processor architecture', () => {
    const text = JSON.stringify(stages)
    expect(text).not.toMatch(/amd64|arm64|x86_64|x64|aarch64|--platform/)
  })

  it('The Dockerfile copies only what is in the repository or was made in an earlier stage', () => {
    for (const [index, stage] of stages.entries()) {
      for (const { text } of all('COPY', stage)) {
        const words = text.split(/\s+/)
        const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
        const sources = words.filter((word) => !word.startsWith('--')).slice(0, -1)
        expect(sources).not.toEqual([])
        if (from === undefined) {
          for (const source of sources) expect(existsSync(path.join(ROOT, source)), source).toBe(true)
        } else {
          const earlier = stages.slice(0, index).find((candidate) => candidate.name === from)
          expect(earlier?.instructions.map(({ folder }) => folder)).toEqual(expect.arrayContaining(sources))
        }
      }
    }
  })

  it('The Dockerfile unpacks the tarball that npm pack names after the package', () => {
    const { name } = JSON.parse(read('package.json')) as { name: string }
    const commands = all('RUN', stages[0]!).map(({ text }) => text)
    expect(commands.join('\n')).toMatch(/npm ci && npm run build && npm pack/)
    expect(commands.join('\n')).toContain(`/build/${name}-*.tgz`)
  })

  it('The Dockerfile installs no dev dependencies into the folder that the image runs from', () => {
    const runs = stages.flatMap((stage) => all('RUN', stage))
    const installs = runs.filter(({ folder, text }) => folder === only('WORKDIR') && /npm (ci|i)/.test(text))
    expect(installs).toHaveLength(1)
    expect(installs[0]!.text).toMatch(/package-lock\.json \. && npm ci --omit=dev$/)
    expect(all('RUN').filter(({ text }) => text.includes('npm'))).toEqual([])
  })

  it('The image runs as a user who is not root, with its data in a volume of that user', () => {
    const user = only('USER')
    expect(user).not.toMatch(/^(root|0)\b/)
    expect(only('VOLUME')).toBe(env.DATA_DIR)
    expect(all('RUN').map(({ text }) => text)).toEqual([
      `install --directory --owner=${user} --group=${user} --mode=0700 ${env.DATA_DIR}`,
    ])
  })

  it('The image sets valid settings and listens on every address of the container', () => {
    expect(env).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0' })
    expectSettings(env)
    expect(only('EXPOSE').split(' ')).toEqual(expect.arrayContaining([env.PORT, env.WORKER_PORT]))
  })

  it('The image starts node without a shell, so that SIGTERM reaches it', () => {
    const command = JSON.parse(only('CMD')) as string[]
    expect(command[0]).toBe('node')
    expect(existsSync(path.join(ROOT, command[1]!))).toBe(true)
    expect(all('ENTRYPOINT')).toEqual([])
    expect(only('STOPSIGNAL')).toBe('SIGTERM')
  })

  it.each([
    { title: 'healthy while /ready responds with 200', status: 200, code: 0, ROLE: 'all' },
    { title: 'unhealthy while /ready responds with 503', status: 503, code: 1, ROLE: 'api' },
    { title: 'unhealthy while nothing listens', status: undefined, code: 1, ROLE: 'all' },
    { title: 'healthy while /ready of a worker responds with 200', status: 200, code: 0, ROLE: 'worker' },
    { title: 'unhealthy while /ready of a worker responds with 503', status: 503, code: 1, ROLE: 'worker' },
  ])('The health check of the image reports a container as $title', async ({ status, code, ROLE }) => {
    const [command, ...args] = JSON.parse(/CMD (\[.*\])$/.exec(only('HEALTHCHECK'))![1]!) as string[]
    expect(command).toBe('node')
    const server = createServer(({ url }, response) => response.writeHead(url === '/ready' ? status! : 404).end())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    if (status === undefined) await once(server.close(), 'close')
    const ports =
      ROLE === 'worker' ? { PORT: '1', WORKER_PORT: String(port) } : { PORT: String(port), WORKER_PORT: '1' }
    const check = spawn(process.execPath, args, { env: { ROLE, ...ports }, stdio: 'ignore', timeout: 120_000 })
    expect(await once(check, 'exit')).toEqual([code, null])
    server.close()
  })
})

describe('.dockerignore', () => {
  it('.dockerignore keeps secrets, data, installed packages and history out of the image', () => {
    expect(read('.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['.env*', 'data', '**/node_modules', '**/dist', '.git']),
    )
  })
})

interface Service {
  image: string
  build?: string
  profiles?: string[]
  environment: Record<string, string | number>
  env_file?: { path: string; required: boolean }[]
  volumes: string[]
  ports?: string[]
  stop_grace_period: string
  healthcheck?: { test?: string[] }
  depends_on?: Record<string, { condition: string }>
}

describe('compose.yaml', () => {
  const { services, volumes } = parseYaml(read('compose.yaml')) as {
    services: Record<string, Service>
    volumes: Record<string, null>
  }
  const { posthorn, api, worker, postgres } = services as Record<'posthorn' | 'api' | 'worker' | 'postgres', Service>
  const ours = [posthorn, api, worker]
  /** With the variables of the Compose file set to `value`. */
  const environmentOf = (service: Service, value = 'secret') =>
    Object.fromEntries(
      Object.entries(service.environment).map(([name, text]) => [name, String(text).replaceAll(/\$\{.*?\}/g, value)]),
    )

  it('compose.yaml starts one service by default and adds PostgreSQL, API and worker with the profile scale', () => {
    expect(Object.keys(services)).toEqual(['posthorn', 'api', 'worker', 'postgres'])
    expect(posthorn.profiles).toBeUndefined()
    for (const service of [api, worker, postgres]) expect(service.profiles).toEqual(['scale'])
    expect(ours.map(({ environment }) => environment.ROLE)).toEqual(['all', 'api', 'worker'])
  })

  it('compose.yaml sets only settings that exist, to valid values, and reads others from .env if there is one', () => {
    for (const service of ours) {
      expectSettings(environmentOf(service))
      expect(service.env_file).toEqual([{ path: '.env', required: false }])
    }
  })

  it('compose.yaml requires no variable, because Compose also reads the services of unused profiles', () => {
    expect(read('compose.yaml')).not.toMatch(/\$\{\w+:?\?/)
  })

  it('compose.yaml connects API and worker to one database, with the password that PostgreSQL is started with', () => {
    expect(api.environment.DATABASE_URL).toBe(worker.environment.DATABASE_URL)
    const url = new URL(environmentOf(api, 'pa55').DATABASE_URL!)
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = environmentOf(postgres, 'pa55')
    expect([url.username, url.password, url.pathname]).toEqual([POSTGRES_USER, POSTGRES_PASSWORD, `/${POSTGRES_DB}`])
    expect(services[url.hostname]).toBe(postgres)
    expect(Number(/^postgres:(\d+)@sha256:[0-9a-f]{64}$/.exec(postgres.image)?.[1])).toBeGreaterThanOrEqual(15)
    expect(posthorn.environment.DATABASE_URL).toBeUndefined()
  })

  it('compose.yaml starts API and worker when PostgreSQL accepts connections over the network', () => {
    for (const service of [api, worker]) {
      expect(service.depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
    }
    expect(postgres.healthcheck?.test).toEqual(expect.arrayContaining(['CMD', 'pg_isready', '--host=127.0.0.1']))
  })

  it('compose.yaml shares one data volume between API and worker and uses every volume it declares', () => {
    expect(api.volumes).toEqual(worker.volumes)
    for (const service of ours) expect(service.volumes[0]!.split(':')[1]).toBe(service.environment.DATA_DIR)
    const used = Object.values(services).flatMap((service) => service.volumes.map((volume) => volume.split(':')[0]))
    expect([...new Set(used)].sort()).toEqual(Object.keys(volumes).sort())
  })

  it('compose.yaml checks the health of every service, as the image declares', () => {
    expect(ours.map(({ healthcheck }) => healthcheck)).toEqual([undefined, undefined, undefined])
  })

  it('compose.yaml gives every service more time to stop than it needs', () => {
    for (const service of Object.values(services)) {
      expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThan(STOPS_WITHIN_SECONDS)
    }
  })

  it('compose.yaml publishes HTTP on loopback only, for a proxy that adds TLS', () => {
    for (const service of [posthorn, api]) expect(service.ports).toEqual(['127.0.0.1:3000:3000'])
    for (const service of [worker, postgres]) expect(service.ports).toBeUndefined()
  })
})

describe('deploy/posthorn.service', () => {
  const lines = read('deploy/posthorn.service').matchAll(/^(\w+)=(.*)$/gm)
  const values = new Map<string, string[]>()
  for (const [, name = '', value = ''] of lines) values.set(name, [...(values.get(name) ?? []), value])
  const only = (name: string) => {
    expect(values.get(name), name).toHaveLength(1)
    return values.get(name)![0]!
  }

  it('The systemd unit sets only settings that exist and keeps data in its state folder', () => {
    const env = Object.fromEntries(values.get('Environment')!.map((pair) => pair.split('=') as [string, string]))
    expectSettings(env)
    expect(env.DATA_DIR).toBe(`/var/lib/${only('StateDirectory')}`)
  })

  it('The systemd unit starts start.mjs as a user who is not root', () => {
    expect(only('User')).toBe('posthorn')
    expect(only('ExecStart')).toBe('/usr/bin/env node start.mjs')
  })

  it('The systemd unit signals only Posthorn, which stops its PostgreSQL, and waits longer than that takes', () => {
    expect(only('KillMode')).toBe('mixed')
    expect(Number(only('TimeoutStopSec'))).toBeGreaterThan(STOPS_WITHIN_SECONDS)
    expect(only('Restart')).toBe('on-failure')
  })

  it('The systemd unit allows what node and PostgreSQL need and nothing else', () => {
    for (const name of ['NoNewPrivileges', 'PrivateTmp', 'ProtectHome', 'RestrictNamespaces']) {
      expect(only(name)).toBe('yes')
    }
    expect(only('ProtectSystem')).toBe('strict')
    expect(only('CapabilityBoundingSet')).toBe('CAP_NET_BIND_SERVICE')
    expect(only('RestrictAddressFamilies').split(' ')).toEqual(['AF_UNIX', 'AF_INET', 'AF_INET6', 'AF_NETLINK'])
    expect(values.has('MemoryDenyWriteExecute')).toBe(false) // V8 wouldn't start
  })
})

describe('reverse proxies', () => {
  const nginx = read('deploy/nginx.conf')
  const caddy = read('deploy/Caddyfile')
  const ctx = { settings: readSettings({}) } as Context
  const largestBody = Math.max(
    ...routes.map((route) => Math.max(route.upload?.maxBytes ?? 0, route.bodyLimitBytes?.(ctx) ?? 0)),
  )

  it('Both reverse proxies accept the largest request that a route accepts', () => {
    expect(largestBody).toBeGreaterThan(0)
    expect(Number(/client_max_body_size (\d+)m;/.exec(nginx)![1]) * 1024 * 1024).toBeGreaterThan(largestBody)
    expect(Number(/max_size (\d+)MB/.exec(caddy)![1]) * 1_000_000).toBeGreaterThan(largestBody)
  })

  it('Both reverse proxies forward to the default address of Posthorn', () => {
    const address = `${SETTINGS.HOST.default}:${SETTINGS.PORT.default}`
    expect(nginx.match(/proxy_pass .*;/g)!.every((line) => line === `proxy_pass http://${address};`)).toBe(true)
    expect(caddy).toContain(`reverse_proxy ${address}`)
  })

  it('Both reverse proxies name the settings that Posthorn needs behind them', () => {
    for (const text of [nginx, caddy]) {
      const env = Object.fromEntries(
        [...text.matchAll(/^#\s+([A-Z_]+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
      )
      expect(env).toEqual({ BASE_URL: 'https://posthorn.example.com', TRUSTED_PROXIES: 'loopback' })
      expectSettings(env as Record<string, string>)
    }
  })

  it('Neither reverse proxy buffers server-sent events', () => {
    const streams = routes.filter((route) => route.replies[200]?.contentType === 'text/event-stream')
    expect(streams).not.toEqual([])
    for (const { path: url } of streams) {
      const [, block] = new RegExp(`location = ${url} \\{([^}]*)\\}`).exec(nginx) ?? []
      expect(block, url).toContain('proxy_buffering off;')
    }
    expect(caddy).not.toMatch(/flush_interval|encode/) // Caddy flushes event streams by default
  })
})

describe('.github/workflows/ci.yml', () => {
  interface Job {
    'runs-on': string
    'timeout-minutes': number
    strategy: { 'fail-fast': boolean; matrix: Record<string, (string | number)[]> }
    steps: { uses?: string; run?: string; if?: string; with?: Record<string, string> }[]
  }
  const workflow = parseYaml(read('.github/workflows/ci.yml')) as {
    permissions: Record<string, string>
    concurrency: { group: string }
    jobs: Record<'test' | 'image', Job>
  }

  it("CI runs the README's test command on every platform and supported Node.js", () => {
    const { test } = workflow.jobs
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }
    const supported = [...engines.node.matchAll(/(?:\^|>=)(\d+)/g)].map(([, major]) => Number(major))
    expect(test.strategy.matrix).toEqual({
      os: ['ubuntu-24.04', 'ubuntu-24.04-arm', 'macos-15'],
      node: supported,
    })
    const commands = test.steps.flatMap(({ run }) => run ?? [])
    expect([commands[0], commands.at(-1)].join(' && ')).toBe('npm ci && npm test')
    expect(read('README.md')).toContain('npm ci && npm test')
  })

  it('CI builds the image and starts both Compose variants on x64 and arm64', () => {
    const { image } = workflow.jobs
    expect(image.strategy.matrix.os).toEqual(['ubuntu-24.04', 'ubuntu-24.04-arm'])
    const commands = image.steps.flatMap(({ run }) => run ?? []).join('\n')
    expect(commands).toMatch(/docker compose up .*--wait/)
    expect(commands).toMatch(/docker compose --profile scale up .*--wait.* api worker/)
  })

  it('CI finishes every job of a matrix within a limit, audits all packages, and only reads the repository', () => {
    for (const job of Object.values(workflow.jobs)) {
      expect(job.strategy?.['fail-fast'] ?? false).toBe(false)
      expect(job['timeout-minutes']).toBeLessThanOrEqual(60)
    }
    expect(JSON.stringify(workflow.jobs)).toContain('npm audit --package-lock-only')
    expect(workflow.permissions).toEqual({ contents: 'read' })
    expect(workflow.concurrency.group).toContain('github.ref')
  })
})

describe('docs/deploy.md', () => {
  it('docs/deploy.md shows only settings that exist', () => {
    const shown = [...read('docs/deploy.md').matchAll(/\b([A-Z][A-Z0-9]*_[A-Z0-9_]+|HOST|PORT|ROLE|SECRET)=/g)]
    const names = new Set(shown.map(([, name]) => name!))
    expect(names.size).toBeGreaterThan(5)
    names.delete('POSTGRES_PASSWORD')
    expect(Object.keys(SETTINGS)).toEqual(expect.arrayContaining([...names]))
  })
})
