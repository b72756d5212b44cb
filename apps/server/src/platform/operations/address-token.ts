import { createHash, randomBytes } from 'node:crypto'

/** 256 bits: nobody finds one by trying. */
const tokenBytes = 32

/** A secret at the end of an address: of a link, a calendar, a weather service, a tracker. Given out once; only its hash is stored. */
export const newToken = (): string => randomBytes(tokenBytes).toString('base64url')

/** What the database knows of it. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()
