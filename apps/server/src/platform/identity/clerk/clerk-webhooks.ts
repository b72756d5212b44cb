import type { Logger } from 'pino'
import type pg from 'pg'
import * as z from 'zod/mini'
import { refusalOfSigned } from '../../http/webhook-signature.ts'
import type { ClerkDirectory } from './clerk-directory.ts'

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
    const { headers } = request
    const message = {
      id: headers.get('svix-id'),
      timestamp: headers.get('svix-timestamp'),
      signatures: headers.get('svix-signature'),
      body,
    }
    const refusal = refusalOfSigned(secret, message, now())
    if (refusal !== null) {
      log.warn({ reason: refusal }, 'webhook refused')
      return new Response(null, { status: 400 })
    }
    const parsed = Event.safeParse(jsonOf(body))
    if (!parsed.success) return new Response(null, { status: 400 })
    const id = message.id ?? ''
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

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
