# What an example with Stagedoor can do. Printed by `stagedoor helper rspec --example`.
require "stagedoor_helper"

RSpec.describe "login" do
  ada = "+12025550100"
  nobody = "+12025550188"

  it "signs in with the code" do
    expect(stagedoor.people.map { |one| one["name"] }).to eq(["Ada Lovelace", "Grace Hopper"])
    expect(stagedoor.start(ada).status).to eq(202)
    code = stagedoor.code(ada)
    answer = stagedoor.authenticate(ada, code)
    expect([answer.status, answer.body["userId"]]).to eq([200, stagedoor.profile(ada)["userId"]])
    expect(stagedoor.authenticate(ada, code).reason).to eq("passcode_used")
  end

  it "refuses a wrong code" do
    stagedoor.start(ada)
    wrong = stagedoor.code(ada) == "000000" ? "111111" : "000000"
    expect(stagedoor.authenticate(ada, wrong).reason).to eq("passcode_mismatch")
  end

  it "lets a code expire" do
    stagedoor.start(ada)
    code = stagedoor.code(ada)
    stagedoor.advance(660)
    expect(stagedoor.authenticate(ada, code).reason).to eq("passcode_expired")
  end

  it "reads each code once" do
    codes = Array.new(2) { stagedoor.start(ada) && stagedoor.code(ada) }
    expect(stagedoor.authenticate(ada, codes.last).status).to eq(200)
  end

  it "meets a failure once" do
    stagedoor.fault({ method: "POST" }, { status: 503 })
    expect(Array.new(2) { stagedoor.start(ada).status }).to eq([503, 202])
  end

  it "signs in without a code" do
    expect(stagedoor.sign_in(nobody).count(".")).to eq(2)
    expect(stagedoor.profile(nobody)["phone"]).to eq(nobody)
  end

  it "signs up who is new, and sends no code" do
    expect(stagedoor.start(nobody).status).to eq(200)
    expect { stagedoor.code(nobody) }.to raise_error(/signed_up/)
  end

  it "says that the app is wrong" do
    stagedoor.app_id = "ghost"
    expect(stagedoor.start(ada).status).to eq(401)
    expect { stagedoor.code(ada) }.to raise_error(/No app "ghost"/)
  end

  it "says that the rate is limited" do
    stagedoor.settings(limits: { otpPerMinute: 1 })
    expect(Array.new(2) { stagedoor.start(ada).status }).to eq([202, 429])
    expect { stagedoor.code(ada) }.to raise_error(/rate_limited/)
  end

  it "says that a code never comes" do
    stagedoor.fault({ to: ada }, { undelivered: true })
    stagedoor.start(ada)
    expect { stagedoor.code(ada) }.to raise_error(/undelivered/)
  end
end
