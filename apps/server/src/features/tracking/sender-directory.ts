import { sql } from 'kysely'
import type { Services } from '../../context.ts'
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
    const { db, clock } = this.#services
    const scope = {
      orgId: null,
      actor: { kind: 'system', id: null },
      action: 'positions-sender',
      requestId: newId(),
      clock,
    } as const
    const { rows } = await db.transaction(scope, (tx) =>
      sql<{ orgId: string; deviceId: string }>`
        select org_id as "orgId", id as "deviceId" from device_of_token(decode(${tokenHash}, 'hex'))`.execute(tx),
    )
    if (!rows[0]) return undefined
    if (this.#found.size >= mostRemembered) this.#found.clear()
    const sender = { ...rows[0], tokenHash }
    this.#found.set(tokenHash, { sender, untilMs: nowMs + rememberMs })
    return sender
  }

  /** For a device that was revoked. */
  forget({ tokenHash }: Sender): void {
    this.#found.delete(tokenHash)
  }
}
