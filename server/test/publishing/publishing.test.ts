/** What publishes a release, and the Helm chart and the example for Kubernetes. Parsed, because they can't run here. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { SETTINGS } from '../../settings/config.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { Manifests } from './manifest-schemas.ts'
import { CHART, merged, renderChart } from './render-chart.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const require = createRequire(import.meta.url)
const { load, loadAll } = require('js-yaml') as {
  load(text: string): unknown
  loadAll(text: string): unknown[]
}
const Ajv = require('ajv') as new () => { compile(schema: unknown): (value: unknown) => boolean }

interface Job {
  needs?: string | string[]
  permissions?: Record<string, string>
  steps: { uses?: string; run?: string }[]
}

describe('the release workflow', () => {
  const { on, jobs } = load(read('.github/workflows/release.yml')) as {
    on: { push: { tags: string[] } }
    jobs: Record<string, Job>
  }
  const scripts = (name: string) => jobs[name]!.steps.map(({ run = '' }) => run).join('\n')

  it('publishes both packages, the image for two platforms, the chart and the documentation, after the tests', () => {
    expect(on.push.tags).toEqual(['v*'])
    expect(scripts('check')).toContain('npm test')
    expect(jobs.packages!.permissions).toMatchObject({ 'id-token': 'write' })
    expect(scripts('packages').match(/npm publish .*--provenance/g)).toHaveLength(2)
    expect(scripts('image')).toMatch(/--provenance mode=max --sbom true/)
    expect(scripts('manifest')).toContain('-amd64" "$IMAGE:$version-arm64"')
    expect(scripts('chart')).toMatch(/helm push posthorn-\*\.tgz "oci:/)
    expect(scripts('release')).toContain('npm run build:docs')
    const before = (name: string): string[] =>
      [jobs[name]!.needs ?? []].flat().flatMap((needed) => [needed, ...before(needed)])
    for (const name of Object.keys(jobs))
      if (name !== 'check') expect([name, before(name)]).toEqual([name, expect.arrayContaining(['check'])])
  })

  it('uses the same pinned actions as the tests, and scripts that exist', () => {
    const known = new Set([...read('.github/workflows/ci.yml').matchAll(/uses: (\S+)/g)].map((match) => match[1]))
    const steps = Object.values(jobs).flatMap(({ steps }) => steps)
    for (const { uses } of steps) if (uses) expect(known).toContain(uses)
    const { scripts: own } = JSON.parse(read('package.json'))
    for (const [, name] of steps.flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:]+)/g)])) {
      expect(own).toHaveProperty([name!])
    }
  })

  it.skipIf(process.platform === 'win32')('writes the section of a version as its notes, with links to the tag', () => {
    const script = jobs.release!.steps.find(({ run }) => run?.includes('release-notes.md'))!.run!
    const env = { ...process.env, GITHUB_REF_NAME: 'v0.2.0', GITHUB_REPOSITORY: 'a/b' }
    const notes = execFileSync('sh', ['-c', script.replace('> release-notes.md', '')], {
      cwd: ROOT,
      env,
      encoding: 'utf8',
    })
    expect(notes).toMatch(/^\nFor those who upgrade from 0\.1\.0\./)
    expect(notes).toContain('[docs/upgrade.md](https://github.com/a/b/blob/v0.2.0/docs/upgrade.md)')
    expect(notes).toMatch(/^### Fixed$/m)
    expect(notes).not.toMatch(/^## /m)
  })

  it('finds the same version in the package, the clients, the chart, the changelog and the examples', () => {
    const { version } = JSON.parse(read('package.json'))
    expect(JSON.parse(read('sdk/package.json')).version).toBe(version)
    expect(JSON.parse(read('dashboard/package.json')).devDependencies['@posthorn/sdk']).toBe(version)
    expect(JSON.parse(read('docs/openapi.json')).info.version).toBe(version)
    expect(read('clients/python/pyproject.toml')).toContain(`version = "${version}"`)
    expect(read('clients/go/posthorn.go')).toContain(`const Version = "${version}"`)
    expect(load(read('deploy/helm/Chart.yaml'))).toMatchObject({ version, appVersion: version })
    expect(read('docs/webhooks.md')).toContain(`User-Agent: Posthorn/${version}\n`)
    for (const [, tag] of read('deploy/kubernetes/posthorn.yaml').matchAll(/posthorn\/posthorn:(\S+)/g))
      expect(tag).toBe(version)
    // The first heading is that of the version, released or not.
    expect(/^## (.*)$/m.exec(read('CHANGELOG.md'))![1]).toMatch(
      new RegExp(`^${version.replaceAll('.', '\\.')} \\((unreleased|\\d{4}-\\d\\d-\\d\\d)\\)$`),
    )
  })
})

interface Probe {
  httpGet: { path: string; port: string }
}
interface Container {
  image: string
  env: { name: string; value?: string }[]
  ports: { name: string; containerPort: number }[]
  startupProbe: Probe
  livenessProbe: Probe
  readinessProbe: Probe
  securityContext: object
  volumeMounts: { name: string; mountPath: string }[]
}
interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  spec: {
    replicas: number
    selector: { matchLabels: object } & Record<string, unknown>
    podSelector: { matchLabels: object }
    template: {
      metadata: { labels: object }
      spec: {
        containers: Container[]
        volumes: { name: string }[]
        securityContext: object
        terminationGracePeriodSeconds: number
      }
    }
    ports: { targetPort: string }[]
  }
}

const manifestsOf = (text: string) => loadAll(text).filter(Boolean) as Manifest[]
const rendered = (values?: Record<string, unknown>) => manifestsOf([...renderChart(values).values()].join('\n---\n'))
const EXAMPLE = manifestsOf(read('deploy/kubernetes/posthorn.yaml'))

describe.each([
  ['deploy/kubernetes/posthorn.yaml', EXAMPLE],
  ['the chart in deploy/helm', rendered()],
])('%s', (_, manifests) => {
  const find = (kind: string, name: string) => manifests.find((one) => one.kind === kind && one.metadata.name === name)!
  const deployments = ['api', 'worker'].map((role) => ({ role, ...find('Deployment', `posthorn-${role}`) }))

  it('has a database, two deployments, and what limits and protects them', () => {
    Manifests.parse(manifests)
    const names = manifests.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`)
    expect(new Set(names)).toEqual(
      new Set([
        'postgresql.cnpg.io/v1 Cluster posthorn-db',
        'v1 ConfigMap posthorn',
        'apps/v1 Deployment posthorn-api',
        'apps/v1 Deployment posthorn-worker',
        'v1 Service posthorn',
        'networking.k8s.io/v1 Ingress posthorn',
        'policy/v1 PodDisruptionBudget posthorn-api',
        'policy/v1 PodDisruptionBudget posthorn-worker',
        'networking.k8s.io/v1 NetworkPolicy posthorn-api',
        'networking.k8s.io/v1 NetworkPolicy posthorn-worker',
      ]),
    )
    expect(names).toHaveLength(10)
  })

  it('runs each role with valid settings, on a read-only file system and without privileges', () => {
    const { data } = find('ConfigMap', 'posthorn')
    for (const { role, spec } of deployments) {
      const { containers, volumes, securityContext, terminationGracePeriodSeconds } = spec.template.spec
      const [container] = containers as [Container]
      const own = container.env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]))
      const settings = { ...data, ...Object.fromEntries(own) }
      const given = {
        DATABASE_URL: 'postgres://u:p@posthorn-db/posthorn',
        AWS_ACCESS_KEY_ID: 'a',
        AWS_SECRET_ACCESS_KEY: 'b',
      }
      expect(Object.keys(SETTINGS)).toEqual(expect.arrayContaining([...Object.keys(settings), ...Object.keys(given)]))
      expect(readSettings({ ...settings, ...given }).ROLE).toBe(role)
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(terminationGracePeriodSeconds).toBeGreaterThan(10)
      expect(container.volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name))
      expect(spec.replicas).toBeGreaterThan(1) // otherwise the budget would block every drain of a node
    }
  })

  it('probes the ports of the image, and selects the pods of each deployment', () => {
    const exposed = /^EXPOSE (.*)$/m.exec(read('Dockerfile'))![1]!.split(' ').map(Number)
    for (const { role, spec } of deployments) {
      const { ports, startupProbe, livenessProbe, readinessProbe } = spec.template.spec.containers[0]!
      expect(exposed).toContain(ports[0]!.containerPort)
      expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)).toEqual(
        ['/health', '/health', '/ready'].map((path) => ({ path, port: ports[0]!.name })),
      )
      const { labels } = spec.template.metadata
      expect(spec.selector.matchLabels).toEqual(labels)
      expect(find('PodDisruptionBudget', `posthorn-${role}`).spec.selector.matchLabels).toEqual(labels)
      expect(find('NetworkPolicy', `posthorn-${role}`).spec.podSelector.matchLabels).toEqual(labels)
    }
    expect(find('Service', 'posthorn').spec.selector).toEqual(deployments[0]!.spec.selector.matchLabels)
  })
})

const hasHelm = spawnSync('helm', ['version']).status === 0
if (!hasHelm) console.warn('The chart is not rendered with Helm: the command `helm` was not found.')

describe('the chart in deploy/helm', () => {
  const values = load(read('deploy/helm/values.yaml')) as Record<string, unknown>
  const validate = new Ajv().compile(JSON.parse(read('deploy/helm/values.schema.json')))
  const accepts = (over: Record<string, unknown>) => validate(merged(values, over))
  const OTHER = {
    database: { create: false, secretName: 'my-database', secretKey: 'url' },
    ingress: { enabled: false },
    podDisruptionBudget: { enabled: false },
    networkPolicy: { enabled: false },
    image: { tag: '1.2.3' },
    nodeSelector: { 'kubernetes.io/arch': 'arm64' },
    tolerations: [{ key: 'email', operator: 'Exists' }],
  }

  it('makes what the example has, and labels with the name of the release', () => {
    const onlyInChart = new Set(['app.kubernetes.io/instance', 'annotations', 'imagePullPolicy'])
    const common = (manifests: Manifest[]) =>
      JSON.parse(JSON.stringify(manifests), (key, value) => (onlyInChart.has(key) ? undefined : value))
        .map(({ metadata, ...others }: Manifest) => ({ ...others, name: metadata.name }))
        .sort((a: Manifest, b: Manifest) => (JSON.stringify([a.kind, a]) < JSON.stringify([b.kind, b]) ? -1 : 1))
    expect(common(rendered())).toEqual(common(EXAMPLE))
    const second = [...renderChart({}, 'second').values()].join('\n')
    expect(second).toContain('app.kubernetes.io/instance: second')
    expect(second).not.toContain('instance: posthorn')
  })

  it('uses an existing database, and leaves out what is disabled', () => {
    const manifests = rendered(OTHER)
    Manifests.parse(manifests)
    expect(manifests.map(({ kind }) => kind).sort()).toEqual(['ConfigMap', 'Deployment', 'Deployment', 'Service'])
    for (const { kind, spec } of manifests) {
      if (kind !== 'Deployment') continue
      const { containers, ...pod } = spec.template.spec
      expect(pod).toMatchObject({ nodeSelector: OTHER.nodeSelector, tolerations: OTHER.tolerations })
      expect(containers[0]!.image).toBe('ghcr.io/posthorn/posthorn:1.2.3')
      expect(JSON.stringify(containers[0]!.env)).toContain('{"name":"my-database","key":"url"}')
    }
  })

  it('describes its values in a schema, which refuses mistakes', () => {
    expect(accepts({})).toBe(true)
    expect(accepts(OTHER)).toBe(true)
    const mistakes = [
      { apis: {} },
      { api: { replicas: 0 } },
      { api: { replicas: '2' } },
      { worker: { resources: { requests: { memory: 'much' } } } },
      { config: { BASE_URL: 'mail.example.com' } },
      { config: { LOG_FORMAT: true } },
      { config: { SECRET: 'in a ConfigMap' } },
      { database: { create: false } },
      { networkPolicy: { monitoringNamespace: '' } },
    ]
    for (const mistake of mistakes) expect([mistake, accepts(mistake)]).toEqual([mistake, false])
  })

  it.skipIf(!hasHelm)('is rendered by Helm as by this test', () => {
    const helm = (...args: string[]) => execFileSync('helm', args, { encoding: 'utf8' })
    helm('lint', '--strict', CHART)
    const byName = (manifests: Manifest[]) =>
      new Map(manifests.map((one) => [`${one.kind} ${one.metadata.name}`, { ...one, checksums: undefined }]))
    const withoutChecksums = (manifests: Manifest[]) =>
      byName(JSON.parse(JSON.stringify(manifests), (key, value) => (key === 'annotations' ? undefined : value)))
    const set = Object.entries(OTHER).flatMap(([name, value]) => ['--set-json', `${name}=${JSON.stringify(value)}`])
    expect(withoutChecksums(manifestsOf(helm('template', 'posthorn', CHART)))).toEqual(withoutChecksums(rendered()))
    expect(withoutChecksums(manifestsOf(helm('template', 'posthorn', CHART, ...set)))).toEqual(
      withoutChecksums(rendered(OTHER)),
    )
  })
})
