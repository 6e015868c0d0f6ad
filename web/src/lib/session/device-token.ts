import { deviceStorage } from './storage.ts';

/**
 * Survives logout: the server recognizes the browser, so that failed attempts of strangers do not lock out its users.
 */
const DEVICE = 'atrium:device';

/** Sent with every sign-in. */
export function storedDeviceToken(): { device?: string } {
  const device = deviceStorage.read(DEVICE);
  return device === null ? {} : { device };
}

/** The token in the sign-in response. */
export function storeDeviceToken(device: string | undefined): void {
  if (device !== undefined) deviceStorage.write(DEVICE, device);
}
