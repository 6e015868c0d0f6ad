import { goBuild } from '../backing/providers/go-build.ts';
import { inContainer } from '../backing/providers/in-container.ts';
import type { LauncherContext, Program } from '../backing/server.ts';
import { findTool } from './find-tool.ts';

/** The client in the image of MinIO's server. The PATH is not searched, because another program is also called `mc`. */
export const minioClient = goBuild({
  server: 'objects',
  folder: 'mc',
  module: 'github.com/minio/mc',
  target: 'github.com/minio/mc',
});

/** MinIO's client as a program or as an image. */
export const findMinioClient = (context: LauncherContext): Promise<Program> =>
  findTool('mc', [minioClient, inContainer('objects')], context);
