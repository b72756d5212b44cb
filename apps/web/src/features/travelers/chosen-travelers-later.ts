import { loadLater } from '../../ui/load-later.tsx'

/** What can be done with travelers that are chosen in the list; its code comes when some are. */
export const ChosenTravelers = loadLater(() =>
  import('./chosen-travelers.tsx').then((loaded) => loaded.ChosenTravelers),
)
