// For tests, imported before anything that imports the functions library, which reads these when it is loaded. There is no network here: it
// decodes tokens without asking Google for its keys; its own tests cover its checks. The process keeps what is set here:
// no other code here reads it.

process.env['FIREBASE_DEBUG_MODE'] = 'true'
process.env['FIREBASE_DEBUG_FEATURES'] = JSON.stringify({ skipTokenVerification: true })
process.env['GCLOUD_PROJECT'] = 'demo-tour'
// its logger writes a line for each request
console.debug = () => undefined
