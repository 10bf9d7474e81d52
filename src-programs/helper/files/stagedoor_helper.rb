# Stagedoor in RSpec: a separate app for each example. Printed by `stagedoor helper rspec`, version VERSION.
#   require "stagedoor_helper"
#   it "signs in" do
#     stagedoor.start("+12025550100") # or your app requests a code, with stagedoor.app_id
#     answer = stagedoor.authenticate("+12025550100", stagedoor.code("+12025550100"))
#   end
# It finds Stagedoor by STAGEDOOR_CONSOLE_URL, which `stagedoor exec -- rspec` sets, by stagedoor.config.json, or at port 4012.
# An example group may say what POST apps takes: let(:stagedoor_app) { { strategy: "email", profiles: [...] } }.
require "json"
require "net/http"
require "pathname"

class Stagedoor
  # reason and request_id are Stagedoor's: why it was rejected, and its row in the request log.
  Answer = Struct.new(:status, :body, :reason, :request_id)
  class Error < StandardError; end

  START = "Start it with `stagedoor start`, or run the tests with `stagedoor exec -- rspec`."
  PEOPLE = [{ name: "Ada Lovelace", phone: "+12025550100" }, { name: "Grace Hopper", phone: "+12025550101" }].freeze

  attr_reader :secret, :admin_url, :auth_url, :people
  attr_accessor :app_id

  def initialize(app)
    @console = ENV["STAGEDOOR_CONSOLE_URL"] || project_console
    @token = ENV["STAGEDOOR_ACCESS_TOKEN"] || ENV["STAGEDOOR_JOIN_TOKEN"]
    @asked = {}
    made = control("POST", "apps", { ttlSeconds: 3600, **app })
    @own = @app_id = made["appId"]
    @secret, @admin_url, @auth_url, @people = made.values_at("secret", "adminUrl", "authUrl", "profiles")
    @token = made["accessToken"] || @token
  end

  # Requests a code: status 202; 200 for a new user, who signs up at once and gets none.
  def start(to)
    session("POST", to).tap { |answer| @asked[to] = answer.request_id }
  end
  # The newest code of this user that was not read yet, whoever requested it. Raises with the reason if none comes.
  def code(to, wait: "10s")
    control("GET", "passcodes/latest", nil, appId: @app_id, to: to, unread: 1, wait: wait, requestId: @asked.delete(to))["code"]
  end
  # Enters a code: the session with its token, or the error.
  def authenticate(to, code) = session("PUT", to, passcode: code)
  # The token of a session, without a code; creates the user if there is none.
  def sign_in(to) = control("POST", "sessions", { appId: @app_id, to: to, create: true })["token"]
  # Simulates a failure: fault({ method: "POST" }, { status: 503 }), fault({ to: to }, { undelivered: true }).
  def fault(match, effect, times: 1)
    control("POST", "faults", { match: { appId: @app_id, **match }, effect: effect, times: times })
  end
  # Moves this app's clock, so that codes and sessions expire.
  def advance(seconds) = control("POST", "clock/advance", { seconds: seconds, appId: @app_id })
  # Changes settings of this app: settings(limits: { otpPerMinute: 1 }).
  def settings(**settings) = control("PATCH", "apps/#{@own}", { settings: settings })
  # The profile with this phone or email; nil if there is none.
  def profile(to)
    control("GET", "profiles", nil, appId: @app_id, q: to)["items"].find { |one| one.values_at("phone", "email").include?(to) }
  end
  # The requests of this app that were rejected so far, a line each, with the first sentence on how to fix it.
  def rejected = control("GET", "requests/failed", nil, appId: @own)["text"]
  def close = control("DELETE", "apps/#{@own}")

  private

  # The console of the nearest stagedoor.config.json in the repository, or the default. Raises if the project's does not run.
  def project_console
    above = Pathname.pwd.ascend.to_a
    root = above.index { |at| at.to_s == Dir.home || (at + ".git").exist? } || 0
    file = above.take(root + 1).map { |at| at + "stagedoor.config.json" }.find(&:exist?)
    text = file ? file.read.gsub(%r{("(?:\\.|[^"\\])*")|//.*|/\*[\s\S]*?\*/}) { $1 } : ""
    options = text.scan(/"(data|consolePort)"\s*:\s*"?([^",}\n]+)/).to_h
    lock = options["data"] && file.dirname + options["data"] + "lock.json"
    url = JSON.parse(lock.read)["consoleUrl"] if lock&.exist?
    port = (options["consolePort"] || (lock ? 0 : 4012)).to_i
    raise Error, "The Stagedoor of #{file} is not running. #{START}" if url.nil? && port.zero?

    url || "http://127.0.0.1:#{port}"
  end

  def session(method, to, **more)
    user = { (to.include?("@") ? :email : :phone) => to }
    call(method, "#{@auth_url}/v1/users/session", { appId: @app_id, user: user, **more })
  end

  def control(method, path, body = nil, query = {})
    answer = call(method, "#{@console}/emulator/v1/#{path}?#{URI.encode_www_form(query.compact)}", body)
    return answer.body if answer.status < 400

    why = answer.body["reason"] || answer.reason
    raise Error, "#{method} #{path} #{query}: #{why}: #{answer.body["instruction"] || answer.body}"
  end

  def call(method, url, body)
    uri = URI(url)
    headers = { "Content-Type" => "application/json" }
    headers["Authorization"] = "Bearer #{@token}" if @token
    http = Net::HTTP.new(uri.host, uri.port, nil)
    http.use_ssl = uri.scheme == "https"
    answer = http.send_request(method, uri.request_uri, body && JSON.generate(body), headers)
    text = answer.body.to_s
    Answer.new(answer.code.to_i, text.empty? ? nil : JSON.parse(text), answer["Emulator-Reason"], answer["Emulator-Request-Id"])
  rescue SystemCallError => e
    raise Error, "Stagedoor does not respond at #{url}: #{e.message}. #{START}"
  end

  # What examples have: `stagedoor`, made when it is first used, and deleted after the example.
  module Examples
    def stagedoor = @stagedoor ||= Stagedoor.new(stagedoor_app)
    # What POST apps takes: a copy of the only app of `exec --fixtures`, or two users.
    def stagedoor_app = ENV["STAGEDOOR_COPIED_APP"]&.then { |app| { copyOf: app } } || { profiles: PEOPLE }
  end
end

RSpec.configure do |config|
  config.include(Stagedoor::Examples)
  config.after do |example|
    lines = example.exception && @stagedoor ? @stagedoor.rejected.lines(chomp: true) : []
    example.metadata[:extra_failure_lines] = ["", "Stagedoor rejected:", *lines] if lines.any?
    @stagedoor&.close
  end
end
