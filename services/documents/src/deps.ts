import type { PartChecksums } from '@atrium/object-store/objects/part-meters';
import type { ThumbnailWorker } from '@atrium/object-store/pictures/picture-maker';
import type { FileIntake } from '@atrium/object-store/receiving/take-in-files';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observe/logger';
import type { DownloadCounter } from './downloads/download-counter.ts';
import type { RecentLinkCache } from './downloads/listed-links.ts';
import type { TextWorker } from './texts/text-worker.ts';

/** What the use cases of this service work with. */
export type Deps = FileIntake & {
  directory: Directory;
  log: Logger;
  pictures: ThumbnailWorker;
  downloads: DownloadCounter;
  listed: RecentLinkCache;
  meters: PartChecksums;
  texts: Pick<TextWorker, 'wake'>;
};
