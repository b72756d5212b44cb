import { loadLater } from '../../ui/load-later.tsx'

/** On another screen its code comes when it is shown. */
export const BookingMessages = loadLater(() =>
  import('./booking-messages.tsx').then((loaded) => loaded.BookingMessages),
)
