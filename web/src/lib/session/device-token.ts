import { deviceStorage } from './storage.ts';

/** Stays when somebody signs out: by it the server knows this browser again, so that strangers' guesses do not keep its people out. */
const DEVICE = 'atrium:device';

/** To be sent with every way in. */
export function storedDeviceToken(): { device?: string } {
  const device = deviceStorage.read(DEVICE);
  return device === null ? {} : { device };
}

/** What the server answered; nothing where it is of a release that knows no devices. */
export function storeDeviceToken(device: string | undefined): void {
  if (device !== undefined) deviceStorage.write(DEVICE, device);
}
