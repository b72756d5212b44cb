import { loadLater } from '../../ui/load-later.tsx'

/** Its code comes for those who get the digest. */
export const DigestPreview = loadLater(() => import('./digest-preview.tsx').then((loaded) => loaded.DigestPreview))
