import { waitFor } from '@atrium/test-kit/wait-for';
import { isReady, type Kubectl } from '../kubectl.ts';

type ReplicaRange = { minReplicas: number; maxReplicas: number };
type Autoscaler = { metadata: { name: string }; spec: ReplicaRange };

/**
 * Runs a function while each Deployment has one pod, as in `deploy/skaffold/dev`, which has no autoscalers. Restores
 * the autoscalers at the end.
 */
export async function withOnePodEach(
  kubectl: Pick<Kubectl, 'get' | 'run' | 'pods' | 'deployments'>,
  run: () => Promise<void>,
): Promise<void> {
  const { items } = await kubectl.get<{ items: Autoscaler[] }>('hpa');
  const setReplicas = ({ metadata }: Autoscaler, { minReplicas, maxReplicas }: ReplicaRange) => {
    const patch = JSON.stringify({ spec: { minReplicas, maxReplicas } });
    return kubectl.run('patch', 'hpa', metadata.name, '--type', 'merge', '--patch', patch);
  };
  try {
    await Promise.all(items.map((autoscaler) => setReplicas(autoscaler, { minReplicas: 1, maxReplicas: 1 })));
    const names = await kubectl.deployments();
    const hasOnePodEach = async () => {
      const pods = await kubectl.pods();
      return names.every((name) => {
        const deploymentPods = pods.filter(({ metadata }) => metadata.labels['app.kubernetes.io/name'] === name);
        return deploymentPods.length === 1 && deploymentPods.every(isReady);
      });
    };
    await waitFor(hasOnePodEach, { description: 'one pod of each Deployment', timeoutMs: 180_000, intervalMs: 500 });
    await run();
  } finally {
    await Promise.all(items.map((autoscaler) => setReplicas(autoscaler, autoscaler.spec)));
  }
}
