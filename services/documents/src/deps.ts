import type { FileIntake } from '@atrium/object-store/receiving/take-in-files';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observe/logger';
import type { DownloadCounter } from './documents/download-counter.ts';

/** What the use cases of this service work with. */
export type Deps = FileIntake & { directory: Directory; log: Logger; downloads: DownloadCounter };
