/** What publishes a release, and the example for Kubernetes. Parsed, because neither can run here. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { SETTINGS } from '../../settings/config.ts'
import { readSettings } from '../../settings/read-settings.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const { load, loadAll } = createRequire(import.meta.url)('js-yaml') as {
  load(text: string): unknown
  loadAll(text: string): unknown[]
}

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

  it('publishes both packages, the image for two platforms and the documentation, after the tests', () => {
    expect(on.push.tags).toEqual(['v*'])
    expect(scripts('check')).toContain('npm test')
    expect(jobs.packages!.permissions).toMatchObject({ 'id-token': 'write' })
    expect(scripts('packages').match(/npm publish .*--provenance/g)).toHaveLength(2)
    expect(scripts('image')).toMatch(/--provenance mode=max --sbom true/)
    expect(scripts('manifest')).toContain('-amd64" "$IMAGE:$version-arm64"')
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

  it('finds the same version in the package and the client', () => {
    expect(JSON.parse(read('sdk/package.json')).version).toBe(JSON.parse(read('package.json')).version)
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

describe('deploy/kubernetes/posthorn.yaml', () => {
  const manifests = loadAll(read('deploy/kubernetes/posthorn.yaml')) as Manifest[]
  const find = (kind: string, name: string) => manifests.find((one) => one.kind === kind && one.metadata.name === name)!
  const deployments = ['api', 'worker'].map((role) => ({ role, ...find('Deployment', `posthorn-${role}`) }))

  it('has a database, two deployments, and what limits and protects them', () => {
    expect(manifests.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`)).toEqual([
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
    ])
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
