import type { Step } from './step.ts';
import { checkPodSecurity, checkPodStarts } from './steps/check-pod-security.ts';
import { drainNodes } from './steps/drain-nodes.ts';
import { checkForgedAddress } from './steps/forge-address.ts';
import { killPods } from './steps/kill-pods.ts';
import { probeNetworkPaths } from './steps/probe-network-paths.ts';
import { restartDeployments, upgrade } from './steps/restart-deployments.ts';
import { scaleChat } from './steps/scale-chat.ts';
import { checkChat } from './steps/talk.ts';

/** In this order. Each step leaves the deployment unchanged. */
export const steps: readonly Step[] = [
  { name: 'security: PodSecurity rejects pods that are not restricted', run: checkPodSecurity },
  { name: 'network: NetworkPolicies block all paths that are not allowed', run: probeNetworkPaths },
  { name: 'address: clients cannot forge their IP address', run: checkForgedAddress },
  { name: 'talk: two browsers exchange messages', run: checkChat },
  { name: 'upgrade: from the images of --from', run: upgrade },
  { name: 'roll: restart every Deployment', run: restartDeployments },
  { name: 'start: startup time and memory of every pod', run: checkPodStarts },
  { name: 'end: kill a pod of each service', run: killPods },
  { name: 'drain: drain every node', run: drainNodes },
  { name: 'scale: scale chat from one pod to three and back', run: scaleChat },
];
