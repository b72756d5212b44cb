import { loadLater } from '../../ui/load-later.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

/** Of the sale screen: who sells needs nothing of it. */
export const EditBooking = loadLater(
  () => import('./edit-booking.tsx').then((loaded) => loaded.EditBooking),
  <SkeletonRows rows={8} />,
)
