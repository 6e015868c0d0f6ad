import type { Step } from './step.ts';
import { changeDeployments, upgrade } from './steps/change-deployments.ts';
import { judgePods, refuseUnrestricted } from './steps/check-pod-security.ts';
import { drainNodes } from './steps/drain-nodes.ts';
import { endPods } from './steps/end-pods.ts';
import { forgeAddress } from './steps/forge-address.ts';
import { askAlongLines } from './steps/probe-network-paths.ts';
import { scaleChat } from './steps/scale-chat.ts';
import { talk } from './steps/talk.ts';

/** In this order; each leaves everything as it was. */
export const steps: readonly Step[] = [
  { name: 'security: PodSecurity refuses what is not restricted', run: refuseUnrestricted },
  { name: 'lines: NetworkPolicies refuse what is not drawn', run: askAlongLines },
  { name: 'address: nobody chooses where they come from', run: forgeAddress },
  { name: 'talk: two browsers', run: talk },
  { name: 'upgrade: from the images of before', run: upgrade },
  { name: 'roll: every Deployment, one after the other', run: changeDeployments },
  { name: 'start: times and memory of every pod', run: judgePods },
  { name: 'end: a pod of each service', run: endPods },
  { name: 'drain: every node, one after the other', run: drainNodes },
  { name: 'scale: chat from one to three and back', run: scaleChat },
];
