"""Start of the daemon on Matrix, as far as it is the daemon's own: a homeserver of its own answers at once.

    sealed_start.py BUILD RUNS

Plain and sealed by turns, each on an empty store and then on the same store again. Prints one JSON object: medians of RUNS,
in ms of wall time from exec to the first sync."""
import json, os, statistics, subprocess, sys, tempfile, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

build, runs = sys.argv[1], int(sys.argv[2])
USER = '@bot:koi.test'
ANSWERS = [  # the first whose words are in the path
    ('/login', {'flows': [{'type': 'm.login.password'}], 'user_id': USER, 'access_token': 'throwaway', 'device_id': 'KOIKOI-DAEMON'}),
    ('/whoami', {'user_id': USER, 'device_id': 'KOIKOI-DAEMON'}),
    ('/keys/upload', {'one_time_key_counts': {'signed_curve25519': 50}}),
    ('/sync', {'next_batch': 's1', 'device_one_time_keys_count': {'signed_curve25519': 50},
               'device_unused_fallback_key_types': ['signed_curve25519']}),
]
uploaded, syncs, ready = {}, [], threading.Event()


def keys():
    '''What was uploaded, as /keys/query has it.'''
    one = {name + 's': {USER: uploaded[name]} for name in ('master_key', 'self_signing_key', 'user_signing_key') if name in uploaded}
    return {'device_keys': {USER: {'KOIKOI-DAEMON': uploaded['device_keys']} if 'device_keys' in uploaded else {}}, **one}


class Server(BaseHTTPRequestHandler):
    protocol_version, wbufsize = 'HTTP/1.1', 65536

    def answer(self):
        asked = self.rfile.read(int(self.headers.get('Content-Length', 0)))
        if '/keys/' in self.path and asked:
            uploaded.update(json.loads(asked) if 'query' not in self.path else {})
        if '/sync' in self.path:
            syncs.append(time.monotonic())
            if len(syncs) > 1:  # the answer to the first is stored
                ready.set()
                time.sleep(0.2)  # a long poll, more or less
        answer = keys() if '/keys/query' in self.path else next((a for words, a in ANSWERS if words in self.path), {})
        body = json.dumps(answer).encode()
        self.send_response(404 if 'm.direct' in self.path else 200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = answer

    def handle(self):
        try:
            super().handle()
        except ConnectionError:  # the daemon has ended
            pass

    def log_message(self, *_):
        pass


def start(url, state, sealed):
    syncs.clear()
    ready.clear()
    env = dict(os.environ, KOIKOI_STATE_DIR=state, KOIKOI_MATRIX_HOMESERVER=url, KOIKOI_MATRIX_USER=USER,
               KOIKOI_MATRIX_PASSWORD='throwaway', KOIKOI_MATRIX_E2EE='yes' if sealed else 'no')
    began = time.monotonic()
    with subprocess.Popen([f'{build}/koikoi', 'run'], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as daemon:
        if not ready.wait(30):
            daemon.kill()
            sys.exit(f'no second sync in half a minute: {daemon.stderr.read()[-300:]}')
        daemon.terminate()
        daemon.stderr.read()
    return (syncs[0] - began) * 1000


server = ThreadingHTTPServer(('127.0.0.1', 0), Server)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
figures = {}
for _ in range(runs):
    for name, sealed in ('', False), ('sealed_', True):
        uploaded.clear()
        with tempfile.TemporaryDirectory() as state:
            for which in 'first', 'second':
                ms = start(f'http://127.0.0.1:{server.server_port}', state, sealed)
                figures.setdefault(f'{name}{which}_start_ms', []).append(ms)
medians = {name: round(statistics.median(all), 1) for name, all in figures.items()}
print(json.dumps(medians, separators=(',', ':')))
