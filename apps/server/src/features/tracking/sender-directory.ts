import type { TokenEnd } from '@tour-ops/contract/tracking/duty-fixes'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Sender } from './write-positions.ts'

/** A device is looked up again after this time; what is written is checked every time. */
const rememberMs = 60_000
const mostRemembered = 20_000

/** Which device a token belongs to. Unknown tokens are not remembered. */
export class SenderDirectory {
  readonly #services: Pick<Services, 'db' | 'clock'>
  readonly #found = new Map<string, { readonly sender: Sender; readonly untilMs: number }>()

  constructor(services: Pick<Services, 'db' | 'clock'>) {
    this.#services = services
  }

  /** @param tokenHash SHA-256, hexadecimal. */
  async find(tokenHash: string): Promise<Sender | undefined> {
    const nowMs = performance.now()
    const known = this.#found.get(tokenHash)
    if (known && known.untilMs > nowMs) return known.sender
    const { rows } = await this.#asNobody((tx) =>
      sql<{ orgId: string; deviceId: string }>`
        select org_id as "orgId", id as "deviceId" from device_of_token(decode(${tokenHash}, 'hex'))`.execute(tx),
    )
    if (!rows[0]) return undefined
    if (this.#found.size >= mostRemembered) this.#found.clear()
    const sender = { ...rows[0], tokenHash }
    this.#found.set(tokenHash, { sender, untilMs: nowMs + rememberMs })
    return sender
  }

  /** By whom a token was ended; undefined for one that never was, or whose device has had another two since. */
  async endOf(tokenHash: string): Promise<TokenEnd | undefined> {
    const { rows } = await this.#asNobody((tx) =>
      sql<{ ended: TokenEnd }>`select ended from end_of_token(decode(${tokenHash}, 'hex'))`.execute(tx),
    )
    return rows[0]?.ended
  }

  #asNobody<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
    const { db, clock } = this.#services
    const actor = { kind: 'system', id: null } as const
    return db.transaction({ orgId: null, actor, action: 'positions-sender', requestId: newId(), clock }, run)
  }

  /** For a device that was revoked. */
  forget({ tokenHash }: Sender): void {
    this.#found.delete(tokenHash)
  }
}
