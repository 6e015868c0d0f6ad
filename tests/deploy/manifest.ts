import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

/** The parts of Kubernetes objects that these checks read; Kubernetes' own schemas validate the rest. */
const labels = z.record(z.string(), z.string());
const port = z.union([z.string(), z.number()]);
const quantities = z.record(z.string(), z.union([z.string(), z.number()]));

const keyRef = z.object({ name: z.string(), key: z.string(), optional: z.boolean().default(false) });
const envVar = z.object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z
    .object({
      secretKeyRef: keyRef.optional(),
      configMapKeyRef: keyRef.optional(),
    })
    .optional(),
});

const probe = z.object({
  httpGet: z.object({ path: z.string(), port }).optional(),
  tcpSocket: z.object({ port }).optional(),
  exec: z.object({ command: z.array(z.string()) }).optional(),
});

const container = z.object({
  name: z.string(),
  image: z.string(),
  imagePullPolicy: z.string().optional(),
  restartPolicy: z.string().optional(),
  command: z.array(z.string()).default([]),
  args: z.array(z.string()).default([]),
  env: z.array(envVar).default([]),
  envFrom: z
    .array(
      z.object({
        configMapRef: z.object({ name: z.string() }).optional(),
        secretRef: z.object({ name: z.string() }).optional(),
      }),
    )
    .default([]),
  ports: z
    .array(z.object({ name: z.string(), containerPort: z.number(), protocol: z.string().default('TCP') }))
    .default([]),
  resources: z.object({ requests: quantities.default({}), limits: quantities.default({}) }).default({
    requests: {},
    limits: {},
  }),
  securityContext: z
    .object({
      privileged: z.boolean().default(false),
      allowPrivilegeEscalation: z.boolean().default(true),
      readOnlyRootFilesystem: z.boolean().default(false),
      runAsUser: z.number().optional(),
      capabilities: z
        .object({ drop: z.array(z.string()).default([]), add: z.array(z.string()).default([]) })
        .optional(),
    })
    .optional(),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
});
export type Container = z.infer<typeof container>;

const podTemplate = z.object({
  metadata: z.object({ labels: labels.default({}) }),
  spec: z.object({
    automountServiceAccountToken: z.boolean().default(true),
    serviceAccountName: z.string().optional(),
    hostNetwork: z.boolean().default(false),
    hostPID: z.boolean().default(false),
    hostIPC: z.boolean().default(false),
    terminationGracePeriodSeconds: z.number().default(30),
    securityContext: z
      .object({
        runAsNonRoot: z.boolean().default(false),
        runAsUser: z.number().optional(),
        seccompProfile: z.object({ type: z.string() }).optional(),
      })
      .optional(),
    topologySpreadConstraints: z
      .array(z.object({ topologyKey: z.string(), whenUnsatisfiable: z.string() }))
      .default([]),
    initContainers: z.array(container).default([]),
    containers: z.array(container),
    volumes: z.array(z.looseObject({ name: z.string() })).default([]),
  }),
});
export type PodTemplate = z.infer<typeof podTemplate>;

const selector = z.object({ matchLabels: labels.default({}) });
const metadata = z.object({
  name: z.string(),
  namespace: z.string().default(''),
  labels: labels.default({}),
  annotations: labels.optional(),
});
const object = z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata });
export type KubeObject = z.infer<typeof object>;

const controller = z.object({
  metadata,
  kind: z.string(),
  spec: z.looseObject({
    selector: selector.optional(),
    template: podTemplate,
    strategy: z.object({ rollingUpdate: z.object({ maxUnavailable: port, maxSurge: port }).optional() }).optional(),
  }),
});
/** Any object that creates pods. */
export type Workload = { kind: string; name: string; pod: PodTemplate; selector: Record<string, string> | undefined };

const cronJob = z.object({
  metadata,
  spec: z.object({ jobTemplate: z.object({ spec: z.object({ template: podTemplate }) }) }),
});
const target = z.object({ kind: z.string(), name: z.string() });

export const shapes = {
  Service: z.object({
    metadata,
    spec: z.object({
      type: z.string().default('ClusterIP'),
      externalTrafficPolicy: z.string().optional(),
      selector: labels,
      ports: z.array(z.object({ name: z.string(), port: z.number(), targetPort: port })),
    }),
  }),
  ServiceAccount: z.object({ metadata, automountServiceAccountToken: z.boolean().default(true) }),
  HorizontalPodAutoscaler: z.object({
    metadata,
    spec: z.object({ scaleTargetRef: target, minReplicas: z.number(), maxReplicas: z.number() }),
  }),
  PodDisruptionBudget: z.object({
    metadata,
    spec: z.object({
      selector,
      maxUnavailable: port.optional(),
      minAvailable: port.optional(),
      unhealthyPodEvictionPolicy: z.string().optional(),
    }),
  }),
  ConfigMap: z.object({ metadata, data: z.record(z.string(), z.string()).default({}) }),
  Ingress: z.object({
    metadata,
    spec: z.object({
      ingressClassName: z.string().optional(),
      tls: z.array(z.object({ hosts: z.array(z.string()) })),
      rules: z.array(
        z.object({
          host: z.string(),
          http: z.object({
            paths: z.array(
              z.object({
                path: z.string(),
                backend: z.object({
                  service: z.object({
                    name: z.string(),
                    port: z.object({ name: z.string().optional(), number: z.number().optional() }),
                  }),
                }),
              }),
            ),
          }),
        }),
      ),
    }),
  }),
  HTTPRoute: z.object({
    metadata,
    spec: z.object({
      hostnames: z.array(z.string()),
      rules: z.array(
        z.object({
          matches: z.array(z.object({ path: z.object({ value: z.string() }) })),
          backendRefs: z.array(z.object({ name: z.string(), port: z.number() })),
        }),
      ),
    }),
  }),
  PodMonitor: z.object({
    metadata,
    spec: z.object({ selector, podMetricsEndpoints: z.array(z.object({ port: z.string() })) }),
  }),
} as const;

export const ofKind = <K extends keyof typeof shapes>(
  objects: readonly KubeObject[],
  kind: K,
): z.infer<(typeof shapes)[K]>[] =>
  objects.filter((item) => item.kind === kind).map((item) => shapes[kind].parse(item) as z.infer<(typeof shapes)[K]>);

export const workloadsOf = (objects: readonly KubeObject[]): Workload[] =>
  objects.flatMap((item) => {
    if (item.kind === 'CronJob') {
      const { metadata, spec } = cronJob.parse(item);
      return [{ kind: item.kind, name: metadata.name, pod: spec.jobTemplate.spec.template, selector: undefined }];
    }
    if (!['Deployment', 'StatefulSet', 'Job'].includes(item.kind)) return [];
    const { metadata, spec } = controller.parse(item);
    return [{ kind: item.kind, name: metadata.name, pod: spec.template, selector: spec.selector?.matchLabels }];
  });

export const containersOf = ({ pod }: Workload): Container[] => [...pod.spec.initContainers, ...pod.spec.containers];

/** Returns whether labels match a selector. */
export const matches = (required: Record<string, string>, actual: Record<string, string>): boolean =>
  Object.entries(required).every(([key, value]) => actual[key] === value);

export const readManifests = (text: string): KubeObject[] =>
  parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return object.parse(document.toJS());
  });
