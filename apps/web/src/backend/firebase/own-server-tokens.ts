import type { CallHeaderSettings } from '@tour-ops/contract/page-config'
import { initializeApp } from 'firebase/app'
import type { BrowserTokenSource } from '../call-headers.ts'
import { startBrowserProof } from './browser-tokens.ts'

/** App-check and messaging-instance tokens of a project, for calls to our own server. Loaded only where a project is configured. */
export const ownServerTokens = (settings: CallHeaderSettings): BrowserTokenSource =>
  // parsed from JSON: what is absent is absent, never undefined
  startBrowserProof({ app: initializeApp(settings.project as { apiKey: string }), settings }).tokens
