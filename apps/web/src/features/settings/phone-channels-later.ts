import { loadLater } from '../../ui/load-later.tsx'

/** SMS and WhatsApp: its code comes for administrators alone. */
export const PhoneChannels = loadLater(() => import('./phone-channels.tsx').then((loaded) => loaded.PhoneChannels))
