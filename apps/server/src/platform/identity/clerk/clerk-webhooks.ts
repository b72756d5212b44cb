import { timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import type pg from 'pg'
import * as z from 'zod/mini'
import { webhookSignature } from '../../http/webhook-signature.ts'
import type { ClerkDirectory } from './clerk-directory.ts'

/** How old or how far ahead a message may be. Source: the standard of the signatures ("Standard Webhooks", 5 minutes). */
const toleranceSeconds = 5 * 60

const Event = z.object({
  type: z.string(),
  data: z.looseObject({
    id: z.optional(z.string()),
    organization: z.optional(z.object({ id: z.string() })),
    public_user_data: z.optional(z.object({ user_id: z.string() })),
  }),
})
type Event = z.infer<typeof Event>

export interface ClerkWebhookOptions {
  /** `whsec_` and a key in base64. */
  readonly secret: string
  readonly ownerPool: pg.Pool
  readonly directory: Pick<ClerkDirectory, 'followUser' | 'followOrganization' | 'followMembership' | 'endSession'>
  readonly log: Logger
  /** Epoch milliseconds. */
  readonly now?: () => number
}

/**
 * Answers webhooks of the hosted identity service: 204 for what was taken (again, too), 400 for what it did not sign, or not just now. The
 * service repeats whatever failed here.
 */
export function clerkWebhooks(options: ClerkWebhookOptions): (request: Request) => Promise<Response> {
  const { secret, ownerPool, directory, log, now = Date.now } = options
  return async (request) => {
    const body = await request.text()
    const refusal = refusalOf(request.headers, body, secret, now())
    if (refusal !== null) {
      log.warn({ reason: refusal }, 'webhook refused')
      return new Response(null, { status: 400 })
    }
    const parsed = Event.safeParse(jsonOf(body))
    if (!parsed.success) return new Response(null, { status: 400 })
    const id = request.headers.get('svix-id') ?? ''
    const { rowCount } = await ownerPool.query('select from identity.service_events where id = $1', [id])
    if (rowCount === 0) {
      await follow(parsed.data, directory)
      // afterwards, so that a failure is repeated; doing it twice is doing it once
      await ownerPool.query('insert into identity.service_events (id) values ($1) on conflict do nothing', [id])
    }
    return new Response(null, { status: 204 })
  }
}

/** What a message is a reason to look at. The rest is of no concern to us. */
async function follow({ type, data }: Event, directory: ClerkWebhookOptions['directory']): Promise<void> {
  const [subject = '', verb = ''] = type.split('.')
  const { id, organization, public_user_data: person } = data
  if (subject === 'user' && id !== undefined) return directory.followUser(id)
  if (subject === 'organization' && id !== undefined) return directory.followOrganization(id)
  if (subject === 'organizationMembership' && organization && person) {
    return directory.followMembership(organization.id, person.user_id)
  }
  if (subject === 'session' && verb !== 'created' && id !== undefined) return directory.endSession(id)
}

/** Null when the message was signed with our secret just now. */
function refusalOf(headers: Headers, body: string, secret: string, nowMs: number): string | null {
  const id = headers.get('svix-id')
  const timestamp = headers.get('svix-timestamp')
  const signatures = headers.get('svix-signature')
  if (!id || !timestamp || !signatures) return 'not signed'
  const ageSeconds = Math.abs(nowMs / 1000 - Number(timestamp))
  if (!(ageSeconds <= toleranceSeconds)) return 'too old'
  const expected = webhookSignature(secret, id, timestamp, body)
  // several while a secret is replaced by another
  const isOurs = signatures.split(' ').some((entry) => {
    const [version, signature = ''] = entry.split(',')
    const given = Buffer.from(signature, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
  return isOurs ? null : 'signed with another secret'
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
