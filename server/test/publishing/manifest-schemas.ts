/** The kinds of Kubernetes objects that Posthorn uses, with only the fields that it uses: a misspelled or misplaced one is an error. */
import { z } from 'zod'

const name = z.string().regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/)
const labels = z.record(z.string().regex(/^[a-z./-]+$/), name)
const quantity = z.string().regex(/^\d+(\.\d+)?(m|[KMGT]i?)?$/)
const amounts = z.partialRecord(z.enum(['cpu', 'memory']), quantity).optional()
const count = z.int().positive()
const metadata = z.strictObject({
  name,
  labels: labels.optional(),
  annotations: z.record(z.string(), z.string()).optional(),
})
const selector = z.strictObject({ matchLabels: labels })
const manifest = <S extends z.ZodType>(apiVersion: string, kind: string, spec: S) =>
  z.strictObject({ apiVersion: z.literal(apiVersion), kind: z.literal(kind), metadata, spec })

const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string().startsWith('/'), port: name }),
  periodSeconds: count,
  timeoutSeconds: count.optional(),
  failureThreshold: count.optional(),
})

const secretKeyRef = z.strictObject({ name, key: z.string().min(1) })

const container = z.strictObject({
  name,
  image: z.string().regex(/^[\w./-]+:[\w.-]+$/),
  imagePullPolicy: z.enum(['Always', 'IfNotPresent', 'Never']).optional(),
  envFrom: z.array(
    z.union([
      z.strictObject({ configMapRef: z.strictObject({ name }) }),
      z.strictObject({ secretRef: z.strictObject({ name }) }),
    ]),
  ),
  env: z.array(
    z.union([
      z.strictObject({ name: z.string(), value: z.string() }),
      z.strictObject({ name: z.string(), valueFrom: z.strictObject({ secretKeyRef }) }),
    ]),
  ),
  ports: z.array(z.strictObject({ name, containerPort: count })),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  resources: z.strictObject({ requests: amounts, limits: amounts }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.array(z.string()) }),
  }),
  volumeMounts: z.array(z.strictObject({ name, mountPath: z.string().startsWith('/') })),
})

const pod = z.strictObject({
  automountServiceAccountToken: z.literal(false),
  terminationGracePeriodSeconds: count,
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: count,
    runAsGroup: count,
    fsGroup: count,
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  nodeSelector: z.record(z.string(), z.string()).optional(),
  tolerations: z.array(z.looseObject({})).optional(),
  affinity: z.looseObject({}).optional(),
  containers: z.array(container).min(1),
  volumes: z.array(z.strictObject({ name, emptyDir: z.strictObject({}) })),
})

const backend = z.strictObject({ service: z.strictObject({ name, port: z.strictObject({ name }) }) })
const namespace = z.strictObject({ namespaceSelector: selector })

export const Manifests = z.array(
  z.discriminatedUnion('kind', [
    manifest(
      'postgresql.cnpg.io/v1',
      'Cluster',
      z.strictObject({
        instances: count,
        storage: z.strictObject({ size: quantity }),
        bootstrap: z.strictObject({ initdb: z.strictObject({ database: name, owner: name }) }),
      }),
    ),
    z.strictObject({
      apiVersion: z.literal('v1'),
      kind: z.literal('ConfigMap'),
      metadata,
      data: z.record(z.string(), z.string()),
    }),
    manifest(
      'apps/v1',
      'Deployment',
      z.strictObject({
        replicas: count,
        selector,
        strategy: z.strictObject({ rollingUpdate: z.strictObject({ maxUnavailable: z.int() }) }).optional(),
        template: z.strictObject({ metadata: metadata.omit({ name: true }), spec: pod }),
      }),
    ),
    manifest(
      'v1',
      'Service',
      z.strictObject({
        selector: labels,
        ports: z.array(z.strictObject({ name, port: count, targetPort: name })),
      }),
    ),
    manifest(
      'networking.k8s.io/v1',
      'Ingress',
      z.strictObject({
        ingressClassName: name,
        tls: z.array(z.strictObject({ hosts: z.array(name), secretName: name })),
        rules: z.array(
          z.strictObject({
            host: name,
            http: z.strictObject({
              paths: z.array(z.strictObject({ path: z.string(), pathType: z.enum(['Prefix', 'Exact']), backend })),
            }),
          }),
        ),
      }),
    ),
    manifest('policy/v1', 'PodDisruptionBudget', z.strictObject({ minAvailable: count, selector })),
    manifest(
      'networking.k8s.io/v1',
      'NetworkPolicy',
      z.strictObject({
        podSelector: selector,
        policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
        ingress: z.array(z.strictObject({ from: z.array(namespace), ports: z.array(z.strictObject({ port: name })) })),
      }),
    ),
  ]),
)
