import { loadLater } from '../../ui/load-later.tsx'

/** Its code comes when travelers are chosen. */
export const MessageTravelers = loadLater(() =>
  import('./message-travelers.tsx').then((loaded) => loaded.MessageTravelers),
)
