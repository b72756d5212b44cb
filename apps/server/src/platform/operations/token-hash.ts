import { createHash } from 'node:crypto'

/** What the database knows of a link's token. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()
